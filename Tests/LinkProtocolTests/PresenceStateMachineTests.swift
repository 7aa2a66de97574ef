import Foundation
import KeyedArchive
import Testing

@testable import LinkProtocol

@Suite("Presence machine")
struct PresenceStateMachineTests {
    typealias Machine = PresenceStateMachine
    static let watch = Device(identifier: UUID(), role: .companion, name: "w")
    static let other = Device(identifier: UUID(), role: .companion, name: "o")
    static let phone = Device(identifier: UUID(), role: .host, name: "p")

    static func state(_ change: (inout DeviceState) -> Void = { _ in }) -> DeviceState {
        var state = DeviceState()
        change(&state)
        return state
    }

    /// Returns an activated phone to which a watch has connected.
    static func host(_ change: (inout CompanionPolicy) -> Void = { _ in }) -> Machine {
        var policy = CompanionPolicy()
        change(&policy)
        var machine = Machine(role: .host, policy: policy, state: DeviceState(), companions: [])
        _ = machine.activate()
        _ = machine.connected(watch, state(), said: machine.hello, at: at(0))
        return machine
    }

    static func companion() -> Machine {
        var machine = Machine(role: .companion, policy: CompanionPolicy(), state: DeviceState(), companions: [])
        _ = machine.activate()
        _ = machine.connected(phone, state(), said: machine.hello, at: at(0))
        return machine
    }

    @Test("The first watch is paired, active, adopted, notified that it is served, and reachable")
    func first() {
        var machine = Machine(role: .host, policy: CompanionPolicy(), state: DeviceState(), companions: [])
        #expect(machine.presumesCompanion)
        #expect(machine.activate() == [.activation(.activated), .didActivate])
        #expect(!machine.hello.serves)
        let actions = machine.connected(Self.watch, Self.state(), said: machine.hello, at: at(0))
        #expect(actions.contains(.adopt(Self.watch.identifier)))
        #expect(actions.contains(.tell(Self.watch.identifier, Self.state())))
        #expect(actions.contains(.reachability(Self.watch.identifier, true)))
        #expect(actions.contains(.transfers(Self.watch.identifier, true)))
        #expect(machine.active?.identifier == Self.watch.identifier)
        #expect(!machine.presumesCompanion)
    }

    @Test(
        "A watch that lacks, or again has, the app is like one whose app the owner removed, or restored, on the phone"
    )
    func removedOnWatch() throws {
        var machine = Self.host()
        let watch = Self.watch.identifier
        let gone = machine.peerChanged(watch, Self.state { $0.isAppInstalled = false })
        #expect(gone.first == .watchState(watch))
        #expect(gone.last == .giveUpTransfers(watch, isPaired: true))
        #expect(gone.contains(.reachability(watch, false)))
        #expect(gone.contains(.transfers(watch, false)))
        #expect(machine.companions[watch]?.isAppInstalled == false)
        #expect(machine.active?.isAppInstalled == false)
        #expect(!machine.accepts(watch))
        let repeated = machine.peerChanged(watch, Self.state { $0.isAppInstalled = false })
        #expect(repeated == [])
        _ = machine.disconnected(watch)
        #expect(machine.companions[watch]?.isAppInstalled == false)
        let back = machine.connected(Self.watch, Self.state(), said: machine.hello, at: at(0))
        #expect(back.first == .watchState(watch))
        #expect(back.contains(.reachability(watch, true)))
        #expect(machine.companions[watch]?.isAppInstalled == true)
        // An app that the owner removed on the phone stays removed, whatever the watch reports.
        _ = try machine.setAppInstalled(false, watch)
        let said = machine.peerChanged(watch, Self.state { $0.hasWorkout = true })
        #expect(!said.contains(.watchState(watch)))
        #expect(machine.companions[watch]?.isAppInstalled == false)
    }

    @Test("A watch that connects without the app is known as such, and loses its queued transfers")
    func comesWithoutApp() {
        var machine = Machine(role: .host, policy: CompanionPolicy(), state: DeviceState(), companions: [])
        _ = machine.activate()
        let actions = machine.connected(
            Self.watch, Self.state { $0.isAppInstalled = false }, said: machine.hello, at: at(0))
        #expect(actions.last == .giveUpTransfers(Self.watch.identifier, isPaired: true))
        #expect(!machine.isReachable(Self.watch.identifier))
    }

    @Test("A watch without its app accepts nothing")
    func withoutApp() {
        var machine = Self.companion()
        #expect(machine.accepts(Self.phone.identifier))
        let actions = machine.change { $0.isAppInstalled = false }
        #expect(actions.contains(.reachability(Self.phone.identifier, false)))
        #expect(!machine.accepts(Self.phone.identifier))
        #expect(!machine.acceptsMessage(from: Self.phone.identifier))
    }

    @Test("A second watch is paired, not active, and neither reachable nor served")
    func second() {
        var machine = Self.host()
        let actions = machine.connected(Self.other, Self.state(), said: machine.hello, at: at(0))
        let told = actions.filter { if case .tell = $0 { true } else { false } }
        #expect(told == [])
        #expect(!machine.isReachable(Self.other.identifier))
        #expect(!machine.accepts(Self.other.identifier))
        #expect(machine.accepts(Self.watch.identifier))
    }

    @Test("If all are served, each is reachable; if pairing is manual, no unknown watch is admitted")
    func policies() throws {
        var all = Self.host { $0.serving = .all }
        _ = all.connected(Self.other, Self.state(), said: all.hello, at: at(0))
        #expect(all.isReachable(Self.watch.identifier))
        #expect(all.isReachable(Self.other.identifier))
        var manual = Self.host { $0.pairing = .manual }
        #expect(manual.peers.isEmpty)
        #expect(
            manual.connected(Self.other, Self.state(), said: manual.hello, at: at(0)) == [
                .refuse(Self.other.identifier, reason: "this watch is not paired")
            ])
        _ = try manual.pair(Self.other.identifier)
        _ = manual.connected(Self.other, Self.state(), said: manual.hello, at: at(0))
        #expect(manual.isReachable(Self.other.identifier))
    }

    @Test("If pairing requires a code, only a watch that shows it is admitted, once; a revoked watch needs a new one")
    func code() throws {
        let other = Self.other.identifier
        var machine = Self.host { $0.pairing = .code }
        #expect(machine.mustShowCode(other))
        let refused = machine.connected(Self.other, Self.state(), said: machine.hello, at: at(0))
        #expect(refused.count == 1)
        #expect(machine.peers.isEmpty)
        #expect(machine.companions.isEmpty)
        _ = machine.connected(Self.other, Self.state(), said: machine.hello, hasShownCode: true, at: at(0))
        #expect(machine.isReachable(other))
        #expect(!machine.mustShowCode(other))
        // It need not show it again.
        _ = machine.disconnected(other)
        _ = machine.connected(Self.other, Self.state(), said: machine.hello, at: at(0))
        #expect(machine.isReachable(other))
        let revoked = try machine.unpair(other)
        #expect(revoked.contains(.refuse(other, reason: "unpaired")))
        _ = machine.disconnected(other)
        #expect(machine.mustShowCode(other))
        _ = machine.connected(Self.other, Self.state(), said: machine.hello, at: at(0))
        #expect(machine.peers.isEmpty)
        _ = machine.connected(Self.other, Self.state(), said: machine.hello, hasShownCode: true, at: at(0))
        #expect(machine.isReachable(other))
        #expect(machine.companions[other]?.isActive == true)
    }

    static let interactive: [(DeviceState, Bool)] = [
        (state(), true),
        (state { $0.application = .background }, false),
        (state { $0.application = .suspended }, false),
        (state { $0.application = .terminated }, false),
        (state { $0.isWristDown = true }, false),
        (
            state {
                $0.isWristDown = true
                $0.hasWorkout = true
            }, true
        ),
        (
            state {
                $0.application = .background
                $0.hasWorkout = true
            }, true
        ),
        (
            state {
                $0.application = .suspended
                $0.hasWorkout = true
            }, false
        ),
    ]

    @Test("Both sides depend on whether the watch's app can receive messages", arguments: interactive)
    func watchDecides(_ state: DeviceState, _ isReachable: Bool) {
        var host = Self.host()
        _ = host.peerChanged(Self.watch.identifier, state)
        #expect(host.isReachable(Self.watch.identifier) == isReachable)
        var companion = Machine(role: .companion, policy: CompanionPolicy(), state: state, companions: [])
        _ = companion.connected(Self.phone, Self.state(), said: companion.hello, at: at(0))
        _ = companion.activate()
        #expect(companion.isReachable(Self.phone.identifier) == isReachable)
        // Transfers do not need an app in the foreground.
        #expect(host.accepts(Self.watch.identifier))
    }

    @Test("The phone's app need not be running, but the phone must be unlocked, have the app and serve the watch")
    func phoneSide() {
        for application in ApplicationState.allCases {
            var machine = Self.companion()
            _ = machine.peerChanged(Self.phone.identifier, Self.state { $0.application = application })
            #expect(machine.isReachable(Self.phone.identifier))
        }
        for state in [
            Self.state { $0.isLocked = true }, Self.state { $0.isAppInstalled = false },
            Self.state { $0.serves = false },
        ] {
            var machine = Self.companion()
            let actions = machine.peerChanged(Self.phone.identifier, state)
            #expect(actions.contains(.reachability(Self.phone.identifier, false)))
            #expect(actions.contains(.transfers(Self.phone.identifier, false)))
        }
    }

    @Test(
        "Content wakes the phone's app; only a transfer wakes the watch's, with a refresh task; then it sleeps again"
    )
    func waking() {
        var host = Self.host()
        #expect(host.enter(.suspended).contains(.hold))
        #expect(host.isReachable(Self.watch.identifier))
        #expect(host.arrived(.message).contains(.release))
        #expect(host.own.application == .background)
        #expect(host.awaitsDrain)
        #expect(host.drained().contains(.hold))
        #expect(host.own.application == .suspended)
        #expect(!host.awaitsDrain)
        var companion = Self.companion()
        _ = companion.enter(.suspended)
        #expect(companion.arrived(.message) == [])
        #expect(companion.arrived(.transfer).contains(.refreshTask))
        _ = companion.drained()
        #expect(companion.own.application == .suspended)
        #expect(companion.enter(.foreground).contains(.release))
        #expect(companion.drained() == [])
    }

    @Test("A terminated app loses its handlers, is launched by incoming content, and activates again")
    func launching() {
        var machine = Self.host()
        let ended = machine.enter(.terminated)
        #expect(ended.starts(with: [.hold, .dropHandlers, .activation(.notActivated)]))
        #expect(machine.enter(.suspended) == [])
        #expect(machine.accepts(Self.watch.identifier))
        let launched = machine.arrived(.transfer)
        #expect(launched.suffix(2) == [.release, .launch])
        #expect(machine.activate().starts(with: [.activation(.activated), .didActivate]))
    }

    @Test("A phone that was restarted is asleep until it is unlocked")
    func rebooting() {
        var machine = Self.host()
        let actions = machine.reboot()
        #expect(actions.contains(.transfers(Self.watch.identifier, false)))
        #expect(machine.arrived(.message) == [])
        #expect(!machine.accepts(Self.watch.identifier))
        #expect(machine.change { $0.isLocked = false }.contains(.transfers(Self.watch.identifier, true)))
        #expect(machine.arrived(.message).contains(.launch))
    }

    @Test("A switch: inactive, then deactivated when everything was delivered, then activated with the other watch")
    func switching() throws {
        var machine = Self.host()
        _ = machine.connected(Self.other, Self.state(), said: machine.hello, at: at(0))
        let began = try machine.switchTo(Self.other.identifier)
        #expect(began.starts(with: [.activation(.inactive), .abandonMessages]))
        #expect(began.last == .didBecomeInactive)
        #expect(machine.activate() == [])
        #expect(!machine.isReachable(Self.watch.identifier))
        #expect(!machine.accepts(Self.watch.identifier))
        #expect(throws: PairingError.switching) { try machine.switchTo(Self.watch.identifier) }
        #expect(machine.drained().starts(with: [.activation(.notActivated), .didDeactivate]))
        #expect(machine.active?.identifier == Self.other.identifier)
        #expect(!machine.isReachable(Self.other.identifier))
        #expect(machine.activate().contains(.reachability(Self.other.identifier, true)))
        let again = try machine.switchTo(Self.other.identifier)
        #expect(again == [])
    }

    @Test("Unpairing and removing the app discard transfers; pairing again activates the watch if none is active")
    func pairing() throws {
        var machine = Self.host()
        let identifier = Self.watch.identifier
        let added = try machine.setComplication(true, identifier)
        #expect(added.contains(.watchState(identifier)))
        let removed = try machine.setAppInstalled(false, identifier)
        #expect(removed.contains(.giveUpTransfers(identifier, isPaired: true)))
        #expect(machine.companions[identifier]?.hasComplication == false)
        #expect(!machine.isReachable(identifier))
        _ = try machine.setAppInstalled(true, identifier)
        #expect(machine.isReachable(identifier))
        let unpaired = try machine.unpair(identifier)
        #expect(unpaired.contains(.giveUpTransfers(identifier, isPaired: false)))
        #expect(unpaired.contains(.refuse(identifier, reason: "unpaired")))
        #expect(machine.active == nil)
        #expect(!machine.presumesCompanion)
        _ = machine.disconnected(identifier)
        #expect(throws: PairingError.notPaired(identifier)) { try machine.switchTo(identifier) }
        #expect(throws: PairingError.unknown(Self.other.identifier)) { try machine.unpair(Self.other.identifier) }
        _ = try machine.pair(identifier)
        #expect(machine.active?.identifier == identifier)
        var companion = Self.companion()
        #expect(throws: PairingError.notHost) { try companion.pair(identifier) }
    }

    @Test("The complication gets fifty transfers a day")
    func budget() {
        var budget = ComplicationBudget()
        #expect((0..<60).filter { _ in budget.use(on: 1) }.count == 50)
        #expect(budget.remaining(on: 1) == 0)
        #expect(budget.remaining(on: 2) == 50)
        let isUsed = budget.use(on: 2)
        #expect(isUsed)
        #expect(budget.remaining(on: 2) == 49)
    }

    @Test(
        "A host at its limit of watches forgets an unpaired one for a new one, or reports that it is full"
    )
    func full() throws {
        let known = (0..<LinkLimits.companions).map { _ in Companion(identifier: UUID(), name: "w") }
        var machine = Machine(role: .host, policy: CompanionPolicy(), state: DeviceState(), companions: known)
        _ = machine.activate()
        let refused = machine.connected(Self.watch, Self.state(), said: machine.hello, at: at(0))
        guard case .refuse(Self.watch.identifier, let reason)? = refused.first, refused.count == 1 else {
            return #expect(Bool(false), "\(refused)")
        }
        #expect(reason.contains("already has 10000 watches"))
        #expect(reason.contains("watches unpair"))
        #expect(throws: PairingError.full) { try machine.pair(Self.other.identifier) }
        // A known watch is still admitted.
        let device = Device(identifier: known[7].identifier, role: .companion, name: "w")
        _ = machine.connected(device, Self.state(), said: machine.hello, at: at(0))
        #expect(machine.peers[device.identifier] != nil)

        _ = try machine.unpair(known[3].identifier)
        let actions = machine.connected(Self.watch, Self.state(), said: machine.hello, at: at(0))
        #expect(actions.contains(.forget(known[3].identifier)))
        #expect(machine.companions[known[3].identifier] == nil)
        #expect(machine.companions[Self.watch.identifier]?.isPaired == true)
        #expect(machine.companions.count == LinkLimits.companions)
        _ = try machine.unpair(known[4].identifier)
        let paired = try machine.pair(Self.other.identifier)
        #expect(paired.contains(.forget(known[4].identifier)))
        #expect(machine.companions.count == LinkLimits.companions)
    }

    @Test("A flood of new watches is limited to the burst that may pair; then one per second is admitted")
    func flood() throws {
        var machine = Machine(role: .host, policy: CompanionPolicy(), state: DeviceState(), companions: [])
        _ = machine.activate()
        func come(_ seconds: Double, _ identifier: UUID = UUID()) -> String? {
            let device = Device(identifier: identifier, role: .companion, name: "w")
            let actions = machine.connected(device, Self.state(), said: machine.hello, at: at(seconds))
            _ = machine.disconnected(identifier)
            return actions.lazy.compactMap { if case .refuse(_, let reason) = $0 { reason } else { nil } }.first
        }
        let known = UUID()
        #expect(come(0, known) == nil)
        for _ in 1..<LinkLimits.newCompanions { #expect(come(0) == nil) }
        let late = UUID()
        let reason = try #require(come(0.5, late))
        #expect(reason.contains("too many new watches"))
        #expect(reason.contains("watches pair ID"))
        #expect(come(0.5, known) == nil)
        #expect(machine.companions.count == LinkLimits.newCompanions)
        _ = try machine.pair(late)
        #expect(come(0.5, late) == nil)
        #expect(come(1) == nil)
        #expect(come(1.5) != nil)
        #expect(come(2) == nil)
        // However long the pause, no more than at first are admitted in a burst.
        #expect((0...LinkLimits.newCompanions).filter { _ in come(1e6) == nil }.count < LinkLimits.companions / 2)
    }

    @Test("A watch that shows the pairing code does not wait for a flood, and each code admits one")
    func codeInFlood() {
        var machine = Self.host { $0.pairing = .code }
        for _ in 0...LinkLimits.newCompanions {
            let device = Device(identifier: UUID(), role: .companion, name: "w")
            _ = machine.connected(device, Self.state(), said: machine.hello, hasShownCode: true, at: at(0))
            #expect(machine.peers[device.identifier] != nil)
            _ = machine.disconnected(device.identifier)
        }
    }

    @Test("Each obstacle between a watch and its phone has a name")
    func obstacles() {
        var machine = Machine(role: .companion, policy: CompanionPolicy(), state: DeviceState(), companions: [])
        #expect(machine.obstacle(connectionFailure: "away") == .notActivated)
        _ = machine.activate()
        #expect(machine.obstacle(connectionFailure: "away") == .notConnected(reason: "away"))
        _ = machine.connected(Self.phone, Self.state(), said: machine.hello, at: at(0))
        #expect(machine.obstacle(connectionFailure: "away") == nil)
        let cases: [(Obstacle, (inout DeviceState) -> Void)] = [
            (.phoneDoesNotServe, { $0.serves = false }), (.phoneLacksApp, { $0.isAppInstalled = false }),
            (.phoneIsLocked, { $0.isLocked = true }),
        ]
        for (obstacle, change) in cases {
            _ = machine.peerChanged(Self.phone.identifier, Self.state(change))
            #expect(machine.obstacle(connectionFailure: nil) == obstacle)
        }
        _ = machine.peerChanged(Self.phone.identifier, Self.state())
        _ = machine.change { $0.isWristDown = true }
        #expect(machine.obstacle(connectionFailure: nil) == .notInForeground)
        _ = machine.change { $0.isWristDown = false }
        // A phone does not serve a watch that lacks the app, and reports only that.
        _ = machine.change { $0.isAppInstalled = false }
        for serves in [true, false] {
            _ = machine.peerChanged(Self.phone.identifier, Self.state { $0.serves = serves })
            #expect(machine.obstacle(connectionFailure: nil) == .lacksApp)
        }
        _ = machine.change { $0.isAppInstalled = true }
        _ = machine.peerChanged(Self.phone.identifier, Self.state())
        _ = machine.setReachabilityFault(ReachabilityFault(.never))
        #expect(machine.obstacle(connectionFailure: nil) == .faultOnDemand)
    }

    @Test("A counterpart that only a fault makes reachable is lost with the fault")
    func believed() {
        var machine = Self.companion()
        _ = machine.setReachabilityFault(ReachabilityFault(.stale))
        let lost = machine.disconnected(Self.phone.identifier)
        #expect(!lost.contains(.reachability(Self.phone.identifier, false)))
        #expect(machine.isReachable(Self.phone.identifier))
        let over = machine.setReachabilityFault(ReachabilityFault())
        #expect(over == [.reachability(Self.phone.identifier, false)])
        #expect(!machine.isReachable(Self.phone.identifier))
    }

    @Test("A device's state survives the wire; an invalid state is refused by name")
    func wire() throws {
        let state = Self.state {
            $0.application = .suspended
            $0.isLocked = true
            $0.serves = false
        }
        let read = try DeviceState(.dictionary(state.entries))
        #expect(read == state)
        let plain = try DeviceState(.dictionary([:]))
        #expect(plain == DeviceState())
        #expect(throws: ProtocolError.self) { try DeviceState(.dictionary(["state": .string("asleep")])) }
        #expect(throws: ProtocolError.self) { try DeviceState(.dictionary(["locked": .integer(1)])) }
    }
}
