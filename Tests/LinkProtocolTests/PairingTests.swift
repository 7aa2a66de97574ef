import Foundation
import Testing

@testable import LinkProtocol

/// Tests of the phone's watches: every event in every state of a watch.
@Suite("The phone's watches: every state and event")
struct PairingTests {
    typealias Change = Pairing.Change
    private static let watch = identifier(1)
    private static let other = identifier(2)

    private static func identifier(_ number: UInt8) -> UUID {
        UUID(uuid: (number, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
    }

    private static func companion(
        _ identifier: UUID = watch, paired: Bool = true, active: Bool = false, app: Bool = true,
        complication: Bool = false
    ) -> Companion {
        var companion = Companion(identifier: identifier, name: "w")
        companion.isPaired = paired
        companion.isActive = active
        companion.isAppInstalled = app
        companion.hasComplication = complication
        return companion
    }

    /// The state of the watch.
    enum State: String, CaseIterable {
        case unknown, unpaired
        /// Another watch is active.
        case paired
        case active
        /// Active, and reported that it lacks the app.
        case lacksApp
        /// Active, and the phone's owner removed the app there.
        case removed

        var pairing: Pairing {
            var pairing = Pairing(companions, CompanionPolicy())
            if self == .lacksApp { _ = pairing.said(isAppInstalled: false, by: watch) }
            return pairing
        }

        private var companions: [Companion] {
            switch self {
            case .unknown: []
            case .unpaired: [companion(paired: false)]
            case .paired: [companion(), companion(other, active: true)]
            case .active, .lacksApp: [companion(active: true)]
            case .removed: [companion(active: true, app: false)]
            }
        }
    }

    enum Event: String, CaseIterable {
        case saysApp, saysNoApp, paired, unpaired, appRemoved, appInstalled, complicationShown, complicationHidden
        case madeActive

        func happen(to pairing: inout Pairing) throws(PairingError) -> [Change] {
            switch self {
            case .saysApp: pairing.said(isAppInstalled: true, by: watch)
            case .saysNoApp: pairing.said(isAppInstalled: false, by: watch)
            case .paired: try pairing.pair(watch) { _ in false }
            case .unpaired: try pairing.unpair(watch)
            case .appRemoved: try pairing.setAppInstalled(false, watch)
            case .appInstalled: try pairing.setAppInstalled(true, watch)
            case .complicationShown: try pairing.setComplication(true, watch)
            case .complicationHidden: try pairing.setComplication(false, watch)
            case .madeActive: pairing.makeActive(watch)
            }
        }
    }

    private enum Outcome: Equatable {
        /// True if the phone communicates with it afterwards.
        case comes([Change], serves: Bool = false)
        case refused(PairingError)
    }

    /// Returns the changes that record a watch and settle it again, followed by others.
    private static func news(_ companion: Companion, _ more: Change...) -> [Change] {
        [.record(companion), .watchState(watch), .settle(watch)] + more
    }

    private static let lostApp: [Change] = [
        .watchState(watch), .settle(watch), .giveUpTransfers(watch, isPaired: true),
    ]
    private static let active: [Change] = [.updateAllReachability, .watchState(watch)]

    private static func outcome(_ state: State, _ event: Event) -> Outcome {
        switch state {
        case .unknown: unknown(event)
        case .unpaired: unpaired(event)
        case .paired: paired(event)
        case .active: active(event)
        case .lacksApp: lacksApp(event)
        case .removed: removed(event)
        }
    }

    private static func unknown(_ event: Event) -> Outcome {
        switch event {
        case .saysApp, .saysNoApp: .comes([.settle(watch)])
        case .paired:
            .comes(
                [.record(first), .adopt(watch), .watchState(watch), .settle(watch)], serves: true)
        case .unpaired, .appRemoved, .appInstalled, .complicationShown, .complicationHidden: .refused(.unknown(watch))
        case .madeActive: .comes(active)
        }
    }

    /// A watch that was paired by its identifier has no name yet.
    private static let first: Companion = {
        var first = companion(active: true)
        first.name = ""
        return first
    }()

    private static func unpaired(_ event: Event) -> Outcome {
        switch event {
        case .saysApp: .comes([.settle(watch)])
        case .saysNoApp: .comes(lostApp)
        case .paired: .comes(news(companion(active: true)), serves: true)
        case .unpaired, .appInstalled, .complicationHidden: .comes([])
        case .appRemoved:
            .comes(news(companion(paired: false, app: false), .giveUpTransfers(watch, isPaired: true)))
        case .complicationShown: .comes(news(companion(paired: false, complication: true)))
        case .madeActive: .comes([.record(companion(paired: false, active: true))] + active)
        }
    }

    private static func paired(_ event: Event) -> Outcome {
        switch event {
        case .saysApp: .comes([.settle(watch)])
        case .saysNoApp: .comes(lostApp)
        case .paired, .appInstalled, .complicationHidden: .comes([])
        case .unpaired: .comes(news(companion(paired: false), given, refused))
        case .appRemoved: .comes(news(companion(app: false), .giveUpTransfers(watch, isPaired: true)))
        case .complicationShown: .comes(news(companion(complication: true)))
        case .madeActive: .comes([.record(companion(active: true))] + active, serves: true)
        }
    }

    private static let given = Change.giveUpTransfers(watch, isPaired: false)
    private static let refused = Change.refuse(watch, reason: "unpaired")

    private static func active(_ event: Event) -> Outcome {
        switch event {
        case .saysApp: .comes([.settle(watch)], serves: true)
        case .saysNoApp: .comes(lostApp)
        case .paired, .appInstalled, .complicationHidden: .comes([], serves: true)
        case .unpaired: .comes(news(companion(paired: false), given, refused))
        case .appRemoved: .comes(news(companion(active: true, app: false), .giveUpTransfers(watch, isPaired: true)))
        case .complicationShown: .comes(news(companion(active: true, complication: true)), serves: true)
        case .madeActive: .comes(active, serves: true)
        }
    }

    private static func lacksApp(_ event: Event) -> Outcome {
        switch event {
        case .saysApp: .comes([.watchState(watch), .settle(watch)], serves: true)
        case .saysNoApp: .comes([.settle(watch)])
        case .paired, .appInstalled, .complicationHidden: .comes([])
        case .unpaired: .comes(news(companion(paired: false), given, refused))
        case .appRemoved: .comes(news(companion(active: true, app: false), .giveUpTransfers(watch, isPaired: true)))
        case .complicationShown: .comes(news(companion(active: true, complication: true)))
        case .madeActive: .comes(active)
        }
    }

    private static func removed(_ event: Event) -> Outcome {
        switch event {
        case .saysApp, .saysNoApp: .comes([.settle(watch)])
        case .paired, .appRemoved, .complicationShown, .complicationHidden: .comes([])
        case .unpaired: .comes(news(companion(paired: false, app: false), given, refused))
        case .appInstalled: .comes(news(companion(active: true)), serves: true)
        case .madeActive: .comes(active)
        }
    }

    /// Sorts records by their watches, as their order is that of a dictionary.
    private static func inOrder(_ changes: [Change]) -> [Change] {
        let records = changes.prefix { if case .record = $0 { true } else { false } }
        return records.sorted { "\($0)" < "\($1)" } + changes.dropFirst(records.count)
    }

    @Test("Each event in each state of the watch leads to its changes, and decides if the phone communicates with it")
    func pairs() {
        for state in State.allCases {
            for event in Event.allCases {
                var pairing = state.pairing
                do throws(PairingError) {
                    let changes = try event.happen(to: &pairing)
                    let came = Outcome.comes(Self.inOrder(changes), serves: pairing.mayServe(Self.watch))
                    var expected = Self.outcome(state, event)
                    if case .comes(let changes, let serves) = expected {
                        expected = .comes(Self.inOrder(changes), serves: serves)
                    }
                    #expect(came == expected, "\(event) while \(state)")
                } catch {
                    #expect(.refused(error) == Self.outcome(state, event), "\(event) while \(state)")
                }
            }
        }
    }

    // MARK: - Admission

    private static let wantsCode =
        "this watch is not paired: it must show the code of “watchlink watches code” (link.pairingCode)"

    private static func admission(_ policy: CompanionPolicy.Pairing, _ state: State, code: Bool) -> Pairing.Admission {
        let comes = companion(active: true)
        let isNew: [Change] = [.record(comes), .adopt(watch), .watchState(watch), .settle(watch)]
        return switch (policy, state, code) {
        case (.automatic, .unknown, _): .admitted(isNew)
        case (.automatic, .unpaired, _): .refused(reason: "this watch is not paired")
        case (.manual, .unknown, _), (.manual, .unpaired, _): .refused(reason: "this watch is not paired")
        case (.code, .unknown, true): .admitted(isNew)
        case (.code, .unpaired, true): .admitted(news(comes))
        case (.code, .unknown, false), (.code, .unpaired, false): .refused(reason: wantsCode)
        case (_, .paired, _), (_, .active, _), (_, .lacksApp, _), (_, .removed, _): .admitted([])
        }
    }

    @Test("Watches are admitted by the policy", arguments: CompanionPolicy.Pairing.allCases, [false, true])
    func admissions(_ rule: CompanionPolicy.Pairing, code: Bool) {
        for state in State.allCases {
            var policy = CompanionPolicy()
            policy.pairing = rule
            var pairing = Pairing(Array(state.pairing.companions.values), policy)
            let device = Device(identifier: Self.watch, role: .companion, name: "w")
            let came = pairing.admit(device, hasShownCode: code, at: at(0)) { _ in false }
            #expect(came == Self.admission(rule, state, code: code), "\(state), \(rule), code shown: \(code)")
        }
    }

    @Test("If all watches are served, being paired and having the app is enough")
    func serving() {
        var policy = CompanionPolicy()
        policy.serving = .all
        let served = State.allCases.filter { state in
            Pairing(Array(state.pairing.companions.values), policy).mayServe(Self.watch)
        }
        #expect(served == [.paired, .active])
    }

    @Test("A connected watch is not forgotten for a new one, an unpaired one is")
    func room() throws {
        var known = (0..<LinkLimits.companions).map { _ in Companion(identifier: UUID(), name: "w") }
        known[5].isPaired = false
        known[9].isPaired = false
        var pairing = Pairing(known, CompanionPolicy())
        let changes = try pairing.pair(Self.watch) { $0 == known[5].identifier }
        #expect(changes.first == .forget(known[9].identifier))
        #expect(throws: PairingError.full) { try pairing.pair(Self.other) { $0 == known[5].identifier } }
    }

    @Test("A new name is kept")
    func renamed() {
        var pairing = State.active.pairing
        let device = Device(identifier: Self.watch, role: .companion, name: "new")
        let came = pairing.admit(device, hasShownCode: false, at: at(0)) { _ in false }
        var companion = Self.companion(active: true)
        companion.name = "new"
        #expect(came == .admitted([.record(companion)]))
    }

    @Test("A new name is recorded once")
    func renamedOnce() {
        var pairing = State.active.pairing
        let device = Device(identifier: Self.watch, role: .companion, name: "new")
        _ = pairing.admit(device, hasShownCode: false, at: at(0)) { _ in false }
        #expect(pairing.companions[Self.watch]?.name == "new")
        let again = pairing.admit(device, hasShownCode: false, at: at(0)) { _ in false }
        #expect(again == .admitted([]))
    }
}
