import Processes
import Testing

@testable import WatchLinkTesting

/// Mangled names as people write them, and lines as the tools print them.
@Suite("Names and lines of functions")
struct SwiftNameTests {
    @Test("A closure is named with its function, without types")
    func closure() {
        let name = SwiftName(mangled: "$s4prog6ScreenC4sendyyFySDySSypGcfU_")
        #expect(name.short == "closure #1 in prog.Screen.send()")
    }

    @Test("A function is recognized by its labels")
    func labels() {
        let name = SwiftName(mangled: "$s4prog2D5C7session_10didReceiveySi_SDySSypGtF")
        #expect(name.isFunction("session(_:didReceive:)", of: "prog.D5"))
        #expect(!name.isFunction("session(_:)"))
        #expect(!name.isFunction("session(_:didReceive:)", of: "prog.D6"))
        #expect(name.short == "prog.D5.session(_:didReceive:)")
    }

    @Test("A closure in a function is not the function")
    func closureOfFunction() {
        let name = SwiftName(mangled: "$s4prog6ScreenC4sendyyFySDySSypGcfU_")
        #expect(!name.isFunction("send()"))
    }

    @Test("Inlined functions share an address, the innermost first")
    func lines() {
        let places = SourceLines.places(
            "0x0000000000001f\n$s1ayyF\n/src/a.swift:12 (discriminator 3)\n$s1byyF\n/src/b.swift:4\n0x20\n??\n??:0\n")
        #expect(
            places[0x1F] == [
                SourceLines.Place(function: "$s1ayyF", file: "/src/a.swift", line: 12),
                SourceLines.Place(function: "$s1byyF", file: "/src/b.swift", line: 4),
            ])
        #expect(places[0x20] == [SourceLines.Place(function: "??", file: "??", line: 0)])
    }
}
