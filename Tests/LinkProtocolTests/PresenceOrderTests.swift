import Testing

@testable import LinkProtocol

/// Tests of the combined effects of the presence machines, exactly and in order.
@Suite("Presence machine: the order of effects")
struct PresenceOrderTests {
    private typealias Action = PresenceStateMachine.Action
    private static let watch = PresenceStateMachineTests.watch.identifier
    private static let other = PresenceStateMachineTests.other

    /// The phone's state as reported to the watch.
    private static func tell(_ application: ApplicationState, serves: Bool = true) -> Action {
        .tell(
            watch,
            PresenceStateMachineTests.state {
                $0.application = application
                $0.serves = serves
            })
    }

    @Test("The app is held back before its counterpart learns of it, and released afterwards")
    func life() {
        var phone = PresenceStateMachineTests.host()
        #expect(phone.enter(.background) == [Self.tell(.background)])
        #expect(phone.enter(.suspended) == [.hold, Self.tell(.suspended)])
        #expect(phone.enter(.foreground) == [Self.tell(.foreground), .release])
        #expect(
            phone.enter(.terminated) == [
                .hold, .dropHandlers, .activation(.notActivated), Self.tell(.terminated),
                .reachability(Self.watch, false),
            ])
        #expect(
            phone.enter(.foreground) == [
                Self.tell(.foreground, serves: false), .transfers(Self.watch, false), .release, .launch,
            ])
        #expect(
            phone.activate() == [
                .activation(.activated), .didActivate, Self.tell(.foreground), .reachability(Self.watch, true),
                .transfers(Self.watch, true),
            ])
        #expect(phone.activate() == [.didActivate])
    }

    @Test("A suspended app that was woken is released, and held back again when everything was handled")
    func woken() {
        var phone = PresenceStateMachineTests.host()
        _ = phone.enter(.suspended)
        #expect(phone.arrived(.message) == [Self.tell(.background), .release])
        #expect(phone.arrived(.message) == [])
        #expect(phone.drained() == [.hold, Self.tell(.suspended)])
        #expect(phone.drained() == [])
    }

    @Test("A phone that restarts reports that it is locked, whether its app was running or not")
    func reboot() {
        var phone = PresenceStateMachineTests.host()
        let locked = Action.tell(
            Self.watch,
            PresenceStateMachineTests.state {
                $0.application = .terminated
                $0.isLocked = true
            })
        #expect(
            phone.reboot() == [
                .hold, .dropHandlers, .activation(.notActivated), locked, .reachability(Self.watch, false),
                .transfers(Self.watch, false),
            ])
        #expect(phone.reboot() == [])
        _ = phone.change { $0.isLocked = false }
        #expect(phone.reboot() == [locked, .transfers(Self.watch, false)])
    }

    @Test("A switch to a watch that is unpaired meanwhile has no target: nothing is deactivated for it")
    func unpairedInSwitch() throws {
        var phone = PresenceStateMachineTests.host()
        _ = phone.connected(Self.other, PresenceStateMachineTests.state(), said: phone.hello, at: at(0))
        let began = try phone.switchTo(Self.other.identifier)
        #expect(
            began == [
                .activation(.inactive), .abandonMessages, Self.tell(.foreground, serves: false),
                .reachability(Self.watch, false), .transfers(Self.watch, false), .didBecomeInactive,
            ])
        let isAwaited = phone.awaitsDrain
        _ = try phone.unpair(Self.other.identifier)
        let isStillAwaited = phone.awaitsDrain
        #expect(isAwaited)
        #expect(!isStillAwaited)
        #expect(phone.drained() == [])
        #expect(phone.activation == .inactive)
        #expect(phone.active?.identifier == Self.watch)
    }
}
