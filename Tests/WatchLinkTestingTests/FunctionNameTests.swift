import Processes
import Testing

@testable import WatchLinkTesting

@Suite("Functions by their names in source")
struct FunctionNameTests {
    /// A mangled name, its short form, and the name of the function in source.
    private static let functions: [(mangled: String, short: String, name: String)] = [
        ("$s4prog6ScreenC4sendyyF", "prog.Screen.send()", "send()"),
        ("$s4prog7FetcherV5fetchSiyYaF", "prog.Fetcher.fetch()", "fetch()"),
        // A result has labels of its own.
        ("$s4prog4pair2ofSi3low_Si4hightSi_tF", "prog.pair(of:)", "pair(of:)"),
        // ask(then: (Int) -> (), failed: () -> ())
        ("$s4prog3ask4then6failedyySic_yyctF", "prog.ask(then:failed:)", "ask(then:failed:)"),
        // The name repeats a word of its type's.
        ("$s4prog6ScreenC04openB0yyF", "prog.Screen.openScreen()", "openScreen()"),
        // A private type, and an extension of another module's.
        ("$s4prog6Screen33_0123456789ABCDEF0123456789ABCDEFLLC4sendyyF", "prog.Screen.send()", "send()"),
        ("$s17WatchConnectivity9WCSessionC4progE3askyyF", "WatchConnectivity.WCSession.ask()", "ask()"),
    ]

    @Test("They are named without types, and recognized by their names")
    func named() {
        for (mangled, short, name) in Self.functions {
            let function = SwiftName(mangled: mangled)
            #expect(function.short == short)
            #expect(function.isFunction(name), "\(function.full)")
        }
    }

    @Test("A function is not another one: its name, its labels and its type are compared as a whole")
    func others() {
        let send = SwiftName(mangled: "$s4prog6ScreenC4sendyyF")
        for name in ["stop()", "end()", "resend()", "send(_:)", "send(of:)", "Screen.stop()"] {
            #expect(!send.isFunction(name), "\(name)")
        }
        #expect(send.isFunction("send()", of: "prog.Screen"))
        for type in ["prog.Model", "Screen", "prog"] {
            #expect(!send.isFunction("send()", of: type), "\(type)")
        }
        let ask = SwiftName(mangled: "$s4prog3ask4then6failedyySic_yyctF")
        for name in ["ask(then:)", "ask(then:else:)", "ask(then:failed:last:)"] {
            #expect(!ask.isFunction(name), "\(name)")
        }
    }

    @Test("A property, a closure and a function of C are no functions of Swift")
    func noFunctions() {
        #expect(!SwiftName(mangled: "$s4prog6ScreenC5totalSivg").isFunction("total"))
        #expect(!SwiftName(mangled: "$s4prog6ScreenC4sendyyFySDySSypGcfU_").isFunction("send()"))
        #expect(!SwiftName(mangled: "main").isFunction("main"))
        #expect(SwiftName(mangled: "main").short == "main")
    }

    @Test("A closure in an extension of another module's type is named with its function")
    func extended() {
        let closure = SwiftName(mangled: "$s17WatchConnectivity9WCSessionC4progE3askyyFySDySSypGcfU_")
        #expect(closure.short == "closure #1 in WatchConnectivity.WCSession.ask()")
    }
}
