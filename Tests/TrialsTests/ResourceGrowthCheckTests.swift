import Files
import Foundation
import LinkTransport
import ServiceRuntime
import TestSupport
import Testing

@testable import Trials

/// What grows is told; what is as it was is not.
@Suite("Census of services")
struct ResourceGrowthCheckTests {
    private static func figures(
        process: Int32 = 1, descriptors: Int = 40, threads: Int = 10, memory: Int = 20 << 20
    ) -> ServiceFigures {
        ServiceFigures(process: process, descriptors: descriptors, threads: threads, memory: memory)
    }

    private static func census(_ directory: Scratch) -> ResourceGrowthCheck {
        ResourceGrowthCheck(of: StateDirectory(option: directory.path), logBytes: 1_000)
    }

    @Test("Growth up to the bound is none, and one more is told with its figures")
    func bounds() throws {
        let scratch = try Scratch()
        for (last, beyond, text) in [
            (
                Self.figures(descriptors: 48), Self.figures(descriptors: 49),
                "the host had 40 descriptors, and some hours later 49"
            ),
            (Self.figures(threads: 18), Self.figures(threads: 19), "the host had 10 threads, and some hours later 19"),
            (
                Self.figures(memory: 36 << 20), Self.figures(memory: 36 << 20 + 1),
                "the host had \(20 << 20) bytes of memory, and some hours later \(36 << 20 + 1)"
            ),
        ] {
            var census = Self.census(scratch)
            try census.compare(Self.figures(), "host")
            try census.compare(last, "host")
            let error = #expect(throws: TrialFailure.self) { try census.compare(beyond, "host") }
            #expect(error?.description.hasPrefix(text) == true, "\(error?.description ?? "")")
        }
    }

    @Test("A slow leak is told, and a process that began anew is compared with itself")
    func leak() throws {
        var census = Self.census(try Scratch())
        for hour in 0...8 { try census.compare(Self.figures(descriptors: 40 + hour), "host") }
        #expect(throws: TrialFailure.self) { try census.compare(Self.figures(descriptors: 49), "host") }
        try census.compare(Self.figures(process: 2, descriptors: 60), "host")
        try census.compare(Self.figures(process: 2, descriptors: 68), "host")
        #expect(throws: TrialFailure.self) { try census.compare(Self.figures(process: 2, descriptors: 69), "host") }
    }

    @Test("Logs and databases beyond what they promise are told")
    func files() throws {
        let scratch = try Scratch()
        let census = Self.census(scratch)
        _ = try scratch.write("host.log", String(repeating: "x", count: 1_000))
        for number in 1...3 { _ = try scratch.write("host.log.\(number)", String(repeating: "x", count: 1_000)) }
        _ = try scratch.write("quizzes.sqlite", String(repeating: "x", count: 16 << 20))
        try census.lookAtFiles(items: 0)
        _ = try scratch.write("host.log.4", String(repeating: "x", count: 1_001))
        let logs = #expect(throws: TrialFailure.self) { try census.lookAtFiles(items: 0) }
        #expect(logs?.description == "the host's logs have 5001 bytes, but are rotated at 1000")
        _ = try scratch.write("host.log.4", "")
        _ = try scratch.write("quizzes.sqlite-wal", "x")
        try census.lookAtFiles(items: 1)
        let databases = #expect(throws: TrialFailure.self) { try census.lookAtFiles(items: 0) }
        #expect(databases?.description == "the databases have \(16 << 20 + 1) bytes after 0 payloads and transfers")
    }

    @Test("The figures of a process that listens are the kernel's, and one that does not is named")
    func figures() throws {
        let scratch = try Scratch()
        let state = StateDirectory(option: scratch.path)
        #expect(throws: TrialFailure.self) { try ServiceFigures(of: "host", in: state) }
        let server = try UnixSocket.listen(at: state.hostControlSocket, mode: 0o600)
        let figures = try ServiceFigures(of: "host", in: state)
        #expect(figures.process == getpid())
        #expect(figures.threads > 1)
        #expect(figures.memory > 1_048_576)
        #expect(figures.descriptors > 4)
        #expect(server.number > 2)
    }
}
