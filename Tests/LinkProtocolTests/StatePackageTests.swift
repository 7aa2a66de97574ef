import Foundation
import KeyedArchive
import Testing

@testable import LinkProtocol

@Suite("Packages with a device's state")
struct StatePackageTests {
    private static let identifier = UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16))
    private static let time = Date(timeIntervalSinceReferenceDate: 800_000_000)

    /// All states there are.
    private static var states: [DeviceState] {
        ApplicationState.allCases.flatMap { application in
            (0..<32).map { flags in
                var state = DeviceState()
                state.application = application
                state.isAppInstalled = flags & 1 == 0
                state.isWristDown = flags & 2 == 0
                state.hasWorkout = flags & 4 == 0
                state.isLocked = flags & 8 == 0
                state.serves = flags & 16 == 0
                return state
            }
        }
    }

    private static func package(_ content: [String: PropertyListValue]) throws -> MessagePackage {
        try MessagePackage(.state, content: content, identifier: identifier, timestamp: time)
    }

    @Test("Every state is sent as its property list, and read again")
    func all() throws {
        for state in Self.states {
            let package = try state.package(identifier: Self.identifier, timestamp: Self.time)
            let expected = try Self.package(state.entries)
            #expect(package == expected, "\(state)")
            let read = try DeviceState(package)
            #expect(read == state)
        }
    }

    @Test("A state that another program spells in its own way is decoded")
    func others() throws {
        var locked = DeviceState()
        locked.isLocked = true
        for content in [["locked": .boolean(true)], locked.entries.merging(["more": .integer(1)]) { $1 }] {
            let read = try DeviceState(Self.package(content))
            #expect(read == locked, "\(content)")
        }
        let plain = try DeviceState(Self.package([:]))
        #expect(plain == DeviceState())
    }

    @Test("A package without a state is refused with the code of a bad state")
    func errors() throws {
        let empty = MessagePackage(
            identifier: Self.identifier, command: .state, status: .sent, timestamp: Self.time)
        let noList = MessagePackage(
            identifier: Self.identifier, command: .state, status: .sent, dataPackage: Data("?".utf8),
            timestamp: Self.time)
        for package in [empty, noList, try Self.package(["state": .string("asleep")])] {
            let error = #expect(throws: ProtocolError.self) { try DeviceState(package) }
            #expect(error?.code == .badState)
        }
    }
}
