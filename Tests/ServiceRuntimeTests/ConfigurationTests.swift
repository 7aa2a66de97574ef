import Foundation
import TestSupport
import Testing

@testable import Configuration
@testable import ServiceRuntime

@Suite("Configuration files")
struct ConfigurationTests {
    static func file(_ text: String) throws -> ConfigurationFile {
        let scratch = try Scratch()
        return try ConfigurationFile(path: try scratch.write("test.json5", text))
    }

    @Test("JSON5 is read: comments, bare keys, single quotes, trailing commas")
    func json5() throws {
        let file = try Self.file("// why\n{ name: 'a', /* more */ times: { reply: 1.5, }, users: [0, 1000], }")
        let name = try file.string("name")
        #expect(name == "a")
        let reply = try file.section("times").seconds("reply", within: 0...10)
        #expect(reply == Duration.milliseconds(1500))
        let users = try file.users("users")
        #expect(users == Set<UInt32>([0, 1000]))
        let absent = try file.string("absent")
        #expect(absent == nil)
        try file.refuseUnknownKeys()
    }

    @Test("An error names file, line and key")
    func place() throws {
        let file = try Self.file("{\n  link: {\n    // replies\n    reply: -1\n  }\n}")
        let section = try file.section("link")
        do {
            _ = try section.seconds("reply", within: 0...10)
            Issue.record("it was taken")
        } catch {
            #expect(error.line == 4)
            #expect(error.key == "link.reply")
        }
    }

    @Test("An unknown key is refused, also in a section")
    func unknown() throws {
        let file = try Self.file("{ link: { socket: 's', sockte: 't' } }")
        _ = try file.section("link").string("socket")
        do {
            try file.refuseUnknownKeys()
            Issue.record("it was taken")
        } catch {
            #expect(error.key == "link.sockte")
            #expect(error.reason.contains("did you mean “socket”?"))
        }
    }

    @Test("The state directory: option, then environment, then XDG, then the home directory")
    func stateDirectory() {
        func path(_ option: String?, _ environment: [String: String]) -> String {
            StateDirectory(option: option, environment: environment).path
        }
        let all = ["WATCHLINK_STATE_DIRECTORY": "/env", "XDG_STATE_HOME": "/xdg", "HOME": "/home/a"]
        #expect(path("/option", all) == "/option")
        #expect(path("/option/", all) == "/option")
        #expect(path("/", all) == "/")
        #expect(path("/a//b/", all) == "/a/b")
        #expect(path(nil, all) == "/env")
        #expect(path(nil, ["XDG_STATE_HOME": "/xdg", "HOME": "/home/a"]) == "/xdg/watchlink")
        #expect(path(nil, ["XDG_STATE_HOME": "relative", "HOME": "/home/a"]) == "/home/a/.local/state/watchlink")
        #expect(StateDirectory(option: "/s").path(of: "x") == "/s/x")
        #expect(StateDirectory(option: "/s").path(of: "/abs") == "/abs")
    }

    @Test("A command means the system's directory only where nobody named another and the user has none")
    func systemDirectory() throws {
        let scratch = try Scratch()
        let (home, system) = (scratch.path("home"), scratch.path("system"))
        func path(_ option: String? = nil, _ environment: [String: String] = [:]) -> String {
            StateDirectory(
                ofCommand: option, environment: environment.merging(["HOME": home]) { given, _ in given },
                system: system
            ).path
        }
        let own = home + "/.local/state/watchlink"
        #expect(path() == own)
        try PrivateDirectory.create(system)
        #expect(path() == system)
        #expect(path("/s") == "/s")
        #expect(path(nil, [StateDirectory.environmentVariable: "/e"]) == "/e")
        try PrivateDirectory.create(own)
        #expect(path() == own)
    }
}
