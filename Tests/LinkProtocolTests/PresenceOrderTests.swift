import Foundation
import Testing

@testable import LinkProtocol

/// Tests of the combined effects of the presence machines, exactly and in order.
@Suite("Presence machine: the order of effects")
struct PresenceOrderTests {
    private typealias Action = PresenceStateMachine.Action
    private static let watch = PresenceStateMachineTests.watch.identifier
    private static let other = PresenceStateMachineTests.other

    /// The phone's state as reported to a watch: to the first one, unless another is given.
    private static func tell(_ application: ApplicationState, serves: Bool = true, to device: UUID? = nil) -> Action {
        .tell(
            device ?? watch,
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

    @Test("A switch to a watch that is unpaired meanwhile ends all the same, and the phone stays with the former one")
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
        #expect(isStillAwaited)
        #expect(phone.drained() == [.activation(.notActivated), .didDeactivate])
        #expect(phone.activate().contains(.reachability(Self.watch, true)))
        #expect(phone.active?.identifier == Self.watch)
    }

    /// Returns an activated phone with two connected watches, of which it serves the first.
    private static func phoneWithTwo() -> PresenceStateMachine {
        var phone = PresenceStateMachineTests.host()
        _ = phone.connected(other, PresenceStateMachineTests.state(), said: phone.hello, at: at(0))
        return phone
    }

    @Test("A switch while the app is terminated takes effect at once, and both watches hear of it")
    func switchTerminated() throws {
        var phone = Self.phoneWithTwo()
        _ = phone.enter(.terminated)
        let other = Self.other.identifier
        let actions = try phone.switchTo(other)
        let record = try #require(phone.record(of: other))
        let changes: [UUID: [Action]] = [
            Self.watch: [Self.tell(.terminated, serves: false), .transfers(Self.watch, false)],
            other: [Self.tell(.terminated, to: other), .transfers(other, true)],
        ]
        let inOrder = changes.keys.sorted { $0.uuidString < $1.uuidString }
        var expected: [Action] = [.record(record)]
        for watch in inOrder { expected += changes[watch] ?? [] }
        expected.append(.watchState(other))
        #expect(actions == expected)
        #expect(record.isActive)
    }

    @Test("The next watch becomes active when everything was delivered, and is served once the app activates again")
    func switched() throws {
        var phone = Self.phoneWithTwo()
        let other = Self.other.identifier
        _ = try phone.switchTo(other)
        let ended = phone.drained()
        let record = try #require(phone.record(of: other))
        let deactivated: [Action] = [.activation(.notActivated), .didDeactivate, .record(record), .watchState(other)]
        #expect(ended == deactivated)
        let began = phone.activate()
        let served: [Action] = [
            .activation(.activated), .didActivate, Self.tell(.foreground, to: other), .reachability(other, true),
            .transfers(other, true),
        ]
        #expect(began == served)
    }

    @Test("A watch that is unpaired is told first, then loses its content, then its connection, once")
    func unpaired() throws {
        var phone = PresenceStateMachineTests.host()
        let actions = try phone.unpair(Self.watch)
        let record = try #require(phone.record(of: Self.watch))
        let expected: [Action] = [
            .record(record), .watchState(Self.watch), Self.tell(.foreground, serves: false),
            .reachability(Self.watch, false), .transfers(Self.watch, false),
            .giveUpTransfers(Self.watch, isPaired: false), .refuse(Self.watch, reason: "unpaired"),
        ]
        #expect(actions == expected)
        #expect(!record.isPaired)
        #expect(!record.isActive)
        let again = try phone.unpair(Self.watch)
        #expect(again == [])
    }

    @Test("An app that is removed on the phone and restored there is reported each time, once")
    func removedApp() throws {
        var phone = PresenceStateMachineTests.host()
        let removed = try phone.setAppInstalled(false, Self.watch)
        let without = try #require(phone.record(of: Self.watch))
        let removal: [Action] = [
            .record(without), .watchState(Self.watch), Self.tell(.foreground, serves: false),
            .reachability(Self.watch, false), .transfers(Self.watch, false),
            .giveUpTransfers(Self.watch, isPaired: true),
        ]
        #expect(removed == removal)
        let removedAgain = try phone.setAppInstalled(false, Self.watch)
        #expect(removedAgain == [])
        let restored = try phone.setAppInstalled(true, Self.watch)
        let with = try #require(phone.record(of: Self.watch))
        let restoration: [Action] = [
            .record(with), .watchState(Self.watch), Self.tell(.foreground), .reachability(Self.watch, true),
            .transfers(Self.watch, true),
        ]
        #expect(restored == restoration)
    }

    @Test("A complication is stored and reported, and changes nothing for the watch")
    func complication() throws {
        var phone = PresenceStateMachineTests.host()
        let shown = try phone.setComplication(true, Self.watch)
        let record = try #require(phone.record(of: Self.watch))
        let expected: [Action] = [.record(record), .watchState(Self.watch)]
        #expect(shown == expected)
        #expect(record.hasComplication)
        let again = try phone.setComplication(true, Self.watch)
        #expect(again == [])
    }

    @Test("A watch that leaves can neither be reached nor receive transfers; it leaves once")
    func left() {
        var phone = PresenceStateMachineTests.host()
        let actions = phone.disconnected(Self.watch)
        let expected: [Action] = [.reachability(Self.watch, false), .transfers(Self.watch, false)]
        #expect(actions == expected)
        let again = phone.disconnected(Self.watch)
        #expect(again == [])
    }

    @Test("A watch keeps nothing of a phone that lacked the app and has left")
    func leftPhone() {
        var watch = PresenceStateMachine(
            role: .companion, policy: CompanionPolicy(), state: DeviceState(), companions: [])
        let before = watch
        let phone = PresenceStateMachineTests.phone
        let state = PresenceStateMachineTests.state { $0.isAppInstalled = false }
        _ = watch.connected(phone, state, said: watch.hello, at: at(0))
        let isKnown = watch.peers[phone.identifier] != nil
        #expect(isKnown)
        _ = watch.disconnected(phone.identifier)
        #expect(watch == before)
    }

    @Test("A phone whose switch has lost its target serves no watch until its app has ended")
    func lostTarget() throws {
        var phone = Self.phoneWithTwo()
        _ = try phone.switchTo(Self.other.identifier)
        _ = try phone.unpair(Self.other.identifier)
        let accepts = phone.accepts(Self.watch)
        #expect(!accepts)
        #expect(throws: PairingError.notPaired(Self.other.identifier)) { try phone.switchTo(Self.other.identifier) }
        _ = phone.enter(.terminated)
        let acceptsAfter = phone.accepts(Self.watch)
        #expect(acceptsAfter)
    }

    @Test("While a phone switches there is no other switch, and the watch it serves is no switch at all")
    func noSwitch() throws {
        var phone = Self.phoneWithTwo()
        let same = try phone.switchTo(Self.watch)
        #expect(same == [])
        let stranger = UUID()
        #expect(throws: PairingError.unknown(stranger)) { try phone.switchTo(stranger) }
        _ = try phone.switchTo(Self.other.identifier)
        #expect(throws: PairingError.switching) { try phone.switchTo(Self.watch) }
        #expect(throws: PairingError.switching) { try phone.switchTo(Self.other.identifier) }
    }

    @Test("A watch's app is woken by transfers, for a refresh task, and by no message")
    func wokenWatch() {
        var watch = PresenceStateMachineTests.companion()
        let inForeground = watch.arrived(.transfer)
        #expect(inForeground == [])
        _ = watch.enter(.suspended)
        let byMessage = watch.arrived(.message)
        #expect(byMessage == [])
        #expect(watch.own.application == .suspended)
        let byTransfer = watch.arrived(.transfer)
        #expect(byTransfer.last == .refreshTask)
        #expect(byTransfer.contains(.release))
        #expect(watch.own.application == .background)
        let again = watch.arrived(.transfer)
        #expect(again == [])
    }
}
