import KeyedArchive
import Testing

@testable import LinkProtocol

@Suite("States of devices on the wire")
struct DeviceStateTests {
    private static let flags: [(String, @Sendable (inout DeviceState) -> Void)] = [
        ("appInstalled", { $0.isAppInstalled.toggle() }), ("wristDown", { $0.isWristDown.toggle() }),
        ("workout", { $0.hasWorkout.toggle() }), ("locked", { $0.isLocked.toggle() }),
        ("serves", { $0.serves.toggle() }),
    ]

    @Test("A new device has its app in the foreground, is unlocked and serves, and says so in full")
    func plain() {
        let entries = DeviceState().entries
        let expected: [String: PropertyListValue] = [
            "state": .string("foreground"), "appInstalled": .boolean(true), "wristDown": .boolean(false),
            "workout": .boolean(false), "locked": .boolean(false), "serves": .boolean(true),
        ]
        #expect(entries == expected)
    }

    @Test("Each flag is read as it was written, alone")
    func flags() throws {
        for (key, toggle) in Self.flags {
            var state = DeviceState()
            toggle(&state)
            let read = try DeviceState(.dictionary(state.entries))
            #expect(read == state, "\(key)")
            let entry = try #require(state.entries[key], "\(key)")
            let alone = try DeviceState(.dictionary([key: entry]))
            #expect(alone == state, "\(key)")
        }
        for application in ApplicationState.allCases {
            let read = try DeviceState(.dictionary(["state": .string(application.rawValue)])).application
            #expect(read == application)
        }
    }

    @Test("An entry of another kind is refused by its name, with the code of a bad state")
    func errors() {
        for (key, _) in Self.flags {
            let error = #expect(throws: ProtocolError.self) { try DeviceState(.dictionary([key: .integer(1)])) }
            #expect(error == ProtocolError(.badState, "“\(key)” is not a boolean"))
        }
        for value in [.integer(1), .string(""), .string("Foreground")] as [PropertyListValue] {
            let error = #expect(throws: ProtocolError.self) { try DeviceState(.dictionary(["state": value])) }
            #expect(error == ProtocolError(.badState, "“state” is not a state of an app"))
        }
    }

    @Test("An app runs in the foreground and in the background only")
    func running() {
        let running = ApplicationState.allCases.filter(\.isRunning)
        #expect(running == [.foreground, .background])
    }
}
