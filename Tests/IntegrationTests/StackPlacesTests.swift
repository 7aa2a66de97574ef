import Foundation
import Processes
import Testing

@testable import DeviceWorlds
@testable import VirtualTime

/// Tests of the places in the source in reports of threads.
@Suite(
    .enabled(
        if: World.isAvailable && SourceLines.tool != nil, "It needs worlds, and a tool that reads debug information."))
struct StackPlacesTests {
    @Test("The stacks of a deadlock lead to lines of the source")
    func deadlock() throws {
        let path = TestBench.program("ProbeProgram").path(percentEncoded: false)
        let program = Program(name: "stuck", executable: path, arguments: ["deadlock-of-locks"])
        let script = try Script([.init(at: .zero, .start(program))], end: .seconds(60))
        let performance = try Conductor().perform(script, JointCourse(seed: 1))
        let report = try #require(Complaint(about: performance)).description
        #expect(!report.contains("Ends.swift"), "\(report)")
        let completed = StackPlaces(script).completed(report)
        #expect(completed.contains(/ProbeProgram\+0x[0-9a-f]+.* [^ ]*Ends\.swift:\d+\n/), "\(completed)")
    }

    @Test("A crash in the standard library has its time, and a stack that leads to the program")
    func crash() throws {
        let path = TestBench.program("ProbeProgram").path(percentEncoded: false)
        let program = Program(name: "phone", executable: path, arguments: ["trap"])
        let script = try Script([.init(at: .zero, .start(program))], end: .seconds(60))
        let complaint = try #require(Complaint(about: try Conductor().perform(script, JointCourse(seed: 1))))
        let report = StackPlaces(script).completed(complaint.description)
        #expect(report.hasPrefix("the phone ended by signal \(SIGILL), SIGILL: "), "\(report)")
        #expect(report.contains("Fatal error: Index out of range"), "\(report)")
        #expect(report.contains(/\ncrashed at 5\.\d{9} s, thread \d+:\n/), "\(report)")
        #expect(report.contains(/ProbeProgram\+0x[0-9a-f]+.* [^ ]*Ends\.swift:\d+/), "\(report)")
        #expect(!complaint.cause.contains("crashed"), "\(complaint.cause)")
    }

    @Test("A failed check of the compiler has its reason and its place")
    func check() throws {
        let path = TestBench.program("ProbeProgram").path(percentEncoded: false)
        let program = Program(name: "phone", executable: path, arguments: ["overflow"])
        let script = try Script([.init(at: .zero, .start(program))], end: .seconds(60))
        let complaint = try #require(Complaint(about: try Conductor().perform(script, JointCourse(seed: 1))))
        let lines = StackPlaces(script).completed(complaint.description).split(separator: "\n")
        let first = try #require(lines.dropFirst(2).first)
        #expect(
            first.contains(/next\(to:\) .*Ends\.swift:\d+ \(Swift runtime failure: arithmetic overflow\)/), "\(first)")
    }

    @Test("A report without addresses, or with those of other programs, stays as it is")
    func unknown() throws {
        let program = Program(name: "a", executable: "/bin/true")
        let places = StackPlaces(try Script([.init(at: .zero, .start(program))], end: .seconds(1)))
        let reports = [
            "", "failed: 2+0x2", "      other+0x10 main\n", "      true+0x", "      true+0x0", "      true+0xzz",
            "      true+0xffffffffffffffff\n",
        ]
        for report in reports { #expect(places.completed(report) == report) }
    }
}
