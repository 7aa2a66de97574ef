import DeviceEngine
import Dispatch
import Foundation
import LinkProtocol
import Locking
import SessionStorage
import Storage
import TestSupport
import Testing

@testable import DeviceShell
@testable import WatchConnectivity

/// An app that keeps what a device's store reports to it.
private final class StoreApp: DeviceApp {
    let events = Collector<String>()
    let span: Duration?

    init(span: Duration?) { self.span = span }

    func forgot(_ transfers: [UUID]) { for transfer in transfers { events.add("forgot \(transfer)") } }
    func adopted(_ peer: UUID) { events.add("adopted \(peer)") }
    func forgotContexts(of peer: UUID) { events.add("forgot contexts \(peer)") }
    func receivedContext(_ payload: Data, from peer: UUID) { events.add("context \([UInt8](payload)) \(peer)") }
    func earlyTaskSpan() -> Duration? {
        events.add("span")
        return span
    }

    func presenceChanged(from former: PresenceOutline, to present: PresenceStateMachine) {}
    func perform(_ news: AppNotification) {}
    func connected(_ device: Device) {}
    func disconnected(_ device: Device) {}
    func linkFailed(_ reason: String) {}
    func record(_ companion: Companion) {}
    func forget(_ companion: UUID) {}
    func activationFailed(_ error: any Error) {}
    func failed(_ message: UUID, _ failure: MessageFailure, _ handlers: UncheckedBox<MessageHandlers>) {}
    func dropped(_ message: UUID, _ handlers: UncheckedBox<MessageHandlers>) {}
    func abandoned(_ message: UUID, _ handlers: UncheckedBox<MessageHandlers>) {}
    func unanswerable(_ message: MessagePackage) {}
    func deliver(_ transfer: ReceivedTransfer, _ done: @escaping @Sendable (DeviceEngine.Delivery) -> Void) {}
    func tellEnd(of transfer: UUID, _ ending: OutgoingTransfer.Ending, _ done: @escaping @Sendable (Bool) -> Void) {}
    func fileProgressed(_ transfer: UUID, to offset: Int64) {}
    var canDeliver: Bool { true }
    var isDrained: Bool { true }
    func pendingChanged(_ isPending: Bool) {}
    func drainIfDone() {}
}

/// What a device's store reports to its app, and to an engine that asked for it.
@Suite("What the store of a device reports")
struct DeviceStoreReportTests {
    private typealias Verb = @Sendable (inout DeviceEngine, Moment) -> Void

    private static let phone = Device(identifier: UUID(), role: .host, name: "phone")
    private static let moment = Moment(MonotonicTime(nanoseconds: 0), Date(timeIntervalSince1970: 0))

    private let scratch: Scratch
    private let home: DeviceHome
    private let store: DeviceStore
    private let app = StoreApp(span: .seconds(3))
    private let verbs = Collector<Verb>()
    /// A watch's engine with a connected phone.
    private var engine: DeviceEngine

    init() throws {
        scratch = try Scratch()
        let settings = DeviceConfiguration(
            device: Device(identifier: UUID(), role: .companion, name: "watch"), socketPath: scratch.path("link"),
            stateDirectory: scratch.path("state")
        ).shellSettings
        let queue = DispatchQueue(label: "test.store")
        home = try queue.sync { try DeviceHome(settings, queue: queue) }
        store = DeviceStore(home, app: { [app] in app }, report: { [verbs] in verbs.add($0) })
        engine = DeviceEngine(
            PresenceStateMachine(role: .companion, policy: CompanionPolicy(), state: DeviceState(), companions: []),
            times: LinkTimes(), retry: .delivery, faults: FaultStateMachine(Chance(seed: 1)), seed: 1)
        engine.activate(at: Self.moment)
        engine.connected(Self.phone, DeviceState(), said: engine.presence.hello, at: Self.moment)
        _ = taken()
    }

    /// Returns the effects since the last call.
    private mutating func taken() -> [DeviceEngine.Effect] {
        var effects: [DeviceEngine.Effect] = []
        _ = engine.takeEffects(into: &effects)
        return effects
    }

    /// Waits for a request, and returns the engine's effects of its reports.
    private mutating func effects(_ request: () -> Void) -> [DeviceEngine.Effect] {
        let former = verbs.all.count
        request()
        store.catchUp()
        for verb in verbs.all.dropFirst(former) { verb(&engine, Self.moment) }
        return taken()
    }

    /// Has the next use of the database fail.
    private func breakDatabase() throws {
        try FileManager.default.removeItem(atPath: DeviceDirectory(scratch.path("state")).database)
    }

    private static func makeTransfer() -> OutgoingTransfer {
        OutgoingTransfer(
            identifier: UUID(), peer: .unknownPeer, kind: .userInfo, payload: Data([1]), queuedAt: moment.date)
    }

    /// Has a package arrive, and returns the arrivals that the engine wants to be kept.
    private mutating func arrive(_ identifier: UUID, _ command: Command, _ payload: Data) -> [DeviceEngine.Arrival] {
        let package = MessagePackage(
            identifier: identifier, command: command, status: .sent, dataPackage: payload,
            timestamp: Self.moment.date)
        engine.received(package, from: Self.phone, bytes: 1, at: Self.moment)
        return taken().flatMap { effect in
            if case .keep(let arrivals) = effect { arrivals } else { [] as [DeviceEngine.Arrival] }
        }
    }

    private static func statuses(_ effects: [DeviceEngine.Effect]) -> [DeliveryStatus] {
        effects.compactMap { if case .write(let package, _, _) = $0 { package.status } else { nil } }
    }

    @Test("Ends are reported as recorded only if they are", arguments: [true, false])
    mutating func recorded(isRecorded: Bool) throws {
        let (store, transfer) = (store, Self.makeTransfer())
        try store.keep(transfer) { _, _ in }
        let ending = TransferStateMachine.Ending(
            identifier: transfer.identifier, outcome: .refused(reason: "no"), code: 7014)
        engine.queued(transfer, replacing: nil, failing: ending, at: Self.moment)
        let asked = taken().contains(.record([ending]))
        #expect(asked)
        if !isRecorded { try breakDatabase() }
        let told = effects { store.record([ending]) }
        let end = OutgoingTransfer.Ending(code: 7014, reason: "no")
        let isTold = told.contains(.tellEnd(transfer.identifier, end))
        #expect(isTold == isRecorded)
        let deadline = engine.nextDeadline
        let expected: MonotonicTime? = isRecorded ? nil : Self.moment.time + .seconds(1)
        #expect(deadline == expected)
    }

    @Test("An arrival that is stored is answered, and one that cannot be is put off", arguments: [true, false])
    mutating func stored(isStored: Bool) throws {
        let store = store
        let arrivals = arrive(UUID(), .transferUserInfo, Data([2]))
        #expect(arrivals.count == 1)
        if !isStored { try breakDatabase() }
        let told = effects { store.keep(arrivals) }
        let statuses: [DeliveryStatus] = [isStored ? .replied : .failed]
        #expect(Self.statuses(told) == statuses)
        let events = isStored ? ["span"] : []
        #expect(app.events.all == events)
    }

    @Test("New arrivals are kept back for the time that the app gets; a repeat asks for none, and tells nothing again")
    mutating func keptBack() throws {
        let identifier = UUID()
        let store = store
        let arrivals = arrive(identifier, .updateApplicationContext, Data([2, 3]))
        let told = effects { store.keep(arrivals) }
        #expect(Self.statuses(told) == [.replied])
        let peer = UUID.unknownPeer
        #expect(app.events.all == ["context [2, 3] \(peer)", "span"])
        let deadline = engine.nextDeadline
        let expected = Self.moment.time + .seconds(3)
        #expect(deadline == expected)
        let repeats = arrive(identifier, .updateApplicationContext, Data([2, 3]))
        let toldAgain = effects { store.keep(repeats) }
        #expect(Self.statuses(toldAgain) == [.replied])
        #expect(app.events.all.count == 2)
    }

    @Test("The app learns of no context by another transfer")
    mutating func noContext() throws {
        let store = store
        let arrivals = arrive(UUID(), .transferUserInfo, Data([2]))
        _ = effects { store.keep(arrivals) }
        #expect(app.events.all == ["span"])
    }

    @Test("The app learns what was forgotten and assigned, and not what could not be; contexts are forgotten at once")
    mutating func learned() throws {
        let store = store
        let (first, second, peer) = (Self.makeTransfer(), Self.makeTransfer(), UUID())
        for transfer in [first, second] { try store.keep(transfer) { _, _ in } }
        _ = effects {
            store.forget([first.identifier], [])
            store.adopt(peer)
        }
        let expected = ["forgot \(first.identifier)", "adopted \(peer)"]
        #expect(app.events.all == expected)
        try breakDatabase()
        _ = effects {
            store.forget([second.identifier], [])
            store.forgetContexts(of: peer)
        }
        #expect(app.events.all == expected + ["forgot contexts \(peer)"])
    }

    @Test("A transfer that is read is sent, and what cannot be read is put off", arguments: [true, false])
    mutating func loaded(isRead: Bool) throws {
        let store = store
        var transfers = [Self.makeTransfer(), Self.makeTransfer()]
        for index in transfers.indices {
            transfers[index].position = Int64(index + 1)
            try store.keep(transfers[index]) { _, _ in }
        }
        engine.disconnected(Self.phone.identifier, reason: "gone", at: Self.moment)
        for transfer in transfers { engine.queued(transfer, replacing: nil, at: Self.moment) }
        engine.connected(Self.phone, DeviceState(), said: engine.presence.hello, at: Self.moment)
        let identifiers = transfers.map(\.identifier)
        let asked = taken().contains(.load(identifiers, batch: 0))
        #expect(asked)
        if !isRead { try breakDatabase() }
        let told = effects { store.load(identifiers, batch: 0) }
        let states = told.compactMap { effect in
            if case .note(let note) = effect { note.state } else { nil }
        }
        // The second waits until the first is written.
        let statuses: [DeliveryStatus] = isRead ? [.sent] : []
        #expect(Self.statuses(told) == statuses)
        let expected: [LedgerEntry.State] = isRead ? [.sent] : [.queued, .queued]
        #expect(states == expected)
    }
}
