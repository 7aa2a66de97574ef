import Testing

@testable import LinkProtocol

@Suite("Presence machine: an app that is suspended as its phone switches")
struct SuspendedSwitchTests {
    private static let other = PresenceStateMachineTests.other

    /// Returns a phone whose app content had woken, and which was suspended again when the switch was complete.
    private static func switched() throws -> PresenceStateMachine {
        var phone = PresenceStateMachineTests.host()
        _ = phone.connected(other, PresenceStateMachineTests.state(), said: phone.hello, at: at(0))
        _ = phone.enter(.suspended)
        _ = phone.arrived(.transfer)
        _ = try phone.switchTo(other.identifier)
        _ = phone.drained()
        return phone
    }

    @Test("Content of the new watch wakes the app, so that it can activate its session")
    func wakes() throws {
        var phone = try Self.switched()
        #expect(phone.own.application == .suspended)
        #expect(phone.activation == .notActivated)
        let accepts = phone.accepts(Self.other.identifier)
        #expect(accepts)
        let woken = phone.arrived(.transfer)
        #expect(woken.contains(.release), "\(woken)")
        #expect(phone.own.application == .background)
    }

    @Test("Content of the former watch does not")
    func former() throws {
        let phone = try Self.switched()
        let accepts = phone.accepts(PresenceStateMachineTests.watch.identifier)
        #expect(!accepts)
    }

    @Test("A running app that has not activated its session gets nothing")
    func notActivated() throws {
        var phone = try Self.switched()
        _ = phone.enter(.foreground)
        let accepts = phone.accepts(Self.other.identifier)
        #expect(!accepts)
    }
}
