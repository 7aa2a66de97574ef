import DeviceEngine
import EventLog
import Foundation
import LinkProtocol
import Testing

/// A phone's engine with one watch, whose effects are told in words: a line for each, without what is only said (logs and notes).
struct EngineTrial {
    static let watch = UUID(uuid: (1, 0, 0, 0, 0, 0, 0x40, 0, 0x80, 0, 0, 0, 0, 0, 0, 0))
    private static let noDeadline = "there is no deadline"
    static let device = Device(identifier: watch, role: .companion, name: "watch")
    /// Another watch, which is not there from the start.
    static let other = Device(
        identifier: UUID(uuid: (2, 0, 0, 0, 0, 0, 0x40, 0, 0x80, 0, 0, 0, 0, 0, 0, 0)), role: .companion, name: "other")

    var engine: DeviceEngine
    private var time = MonotonicTime(nanoseconds: 0)
    private(set) var logged: [String] = []
    private(set) var noted: [LedgerNote] = []
    private var lastPosition: Int64 = 0
    /// Transfers for which the link has no room.
    var refused: Set<UUID> = []

    /// - Parameter isConnected: Whether the session is activated, and the watch there.
    init(
        isConnected: Bool = true, faults: [String] = [], policy: CompanionPolicy = CompanionPolicy()
    ) throws {
        let presence = PresenceStateMachine(role: .host, policy: policy, state: DeviceState(), companions: [])
        var machine = FaultStateMachine(Chance(seed: 1))
        for words in faults { machine.add(try FaultRule(words: words.split(separator: " ").map(String.init))) }
        engine = DeviceEngine(
            presence, times: LinkTimes(), retry: Backoff(initial: .milliseconds(500), maximum: .seconds(30)),
            faults: machine, seed: 1)
        guard isConnected else { return }
        _ = tell { $0.activate(at: $1) }
        _ = connect()
        _ = tell { $0.adopted(Self.watch, at: $1) }
        _ = tell { engine, _ in engine.endedRead([]) }
        _ = tell { engine, _ in engine.inboxRead([]) }
    }

    var moment: Moment {
        Moment(time, Date(timeIntervalSince1970: Double(time.nanoseconds) / 1e9))
    }

    /// Tells the engine of something, and of how transfers were written.
    ///
    /// - Returns: Its effects.
    mutating func tell(_ verb: (inout DeviceEngine, Moment) -> Void) -> [String] {
        verb(&engine, moment)
        var (said, effects): ([String], [DeviceEngine.Effect]) = ([], [])
        while engine.takeEffects(into: &effects) {
            for effect in effects {
                if let words = describe(effect) { said.append(words) }
                if case .write(let package, let device, let transfer?) = effect { write(package, device, transfer) }
            }
            effects.removeAll()
        }
        return said
    }

    /// Tells the engine of something, but not of how transfers were written.
    ///
    /// - Returns: Its effects themselves.
    mutating func effects(_ verb: (inout DeviceEngine, Moment) -> Void) -> [DeviceEngine.Effect] {
        verb(&engine, moment)
        var effects: [DeviceEngine.Effect] = []
        _ = engine.takeEffects(into: &effects)
        return effects
    }

    private mutating func write(_ package: MessagePackage, _ device: UUID, _ transfer: UUID) {
        if refused.contains(transfer) {
            engine.unwritten(package, to: device, of: transfer, .queueFull, at: moment)
        } else {
            engine.wrote(package, to: device, of: transfer, at: moment)
        }
    }

    mutating func connect() -> [String] {
        tell { $0.connected(Self.device, DeviceState(), said: DeviceState(), at: $1) }
    }

    mutating func connectOther() -> [String] {
        tell { $0.connected(Self.other, DeviceState(), said: DeviceState(), at: $1) }
    }

    mutating func disconnect() -> [String] { tell { $0.disconnected(Self.watch, reason: "gone", at: $1) } }

    /// Lets time pass up to the engine's next deadline, which must be after so many milliseconds.
    mutating func wait(_ span: Int) -> [String] {
        guard let deadline = engine.nextDeadline else { return [Self.noDeadline] }
        let milliseconds = Int((deadline - time).inSeconds * 1_000)
        guard milliseconds == span else { return ["the next deadline is after \(milliseconds) ms"] }
        time = deadline
        return tell { $0.deadlinePassed(at: $1) }
    }

    /// Lets time pass, over deadlines at which there is nothing to do, until the engine does something.
    mutating func waitOn() -> [String] {
        for _ in 0..<10 {
            guard let deadline = engine.nextDeadline else { return [Self.noDeadline] }
            time = deadline
            let effects = tell { $0.deadlinePassed(at: $1) }
            guard effects.isEmpty else { return effects }
        }
        return ["ten deadlines passed, and nothing was done"]
    }

    // MARK: - What there is to tell

    mutating func transfer(
        _ number: UInt8, _ kind: TransferKind = .userInfo, isFile: Bool = false, peer: UUID = Self.watch
    ) -> OutgoingTransfer {
        lastPosition += 1
        var transfer = OutgoingTransfer(
            identifier: Self.identifier(number), peer: peer, kind: kind, payload: Data([number]),
            file: isFile ? FileStamp(path: "/a/file\(number)", size: 300_000, modified: 0, inode: 0) : nil,
            queuedAt: moment.date)
        transfer.position = lastPosition
        return transfer
    }

    mutating func queue(_ transfer: OutgoingTransfer) -> [String] {
        tell { $0.queued(transfer, replacing: nil, at: $1) }
    }

    /// The watch's answer to a transfer.
    mutating func answer(_ transfer: UInt8, _ status: DeliveryStatus = .replied) -> [String] {
        let package = MessagePackage(
            identifier: Self.identifier(99), command: .transferUserInfo, status: status,
            errorMessage: status == .failed ? "full" : nil, answers: Self.identifier(transfer), timestamp: moment.date)
        return tell { $0.received(package, from: Self.device, bytes: 1, at: $1) }
    }

    /// A package of the watch.
    mutating func receive(
        _ number: UInt8, _ command: Command, startsRound: Bool = false, from device: Device = Self.device
    ) -> [String] {
        let package = MessagePackage(
            identifier: Self.identifier(number), command: command, status: .sent, dataPackage: Data([number]),
            startsRound: startsRound, timestamp: moment.date)
        return tell { $0.received(package, from: device, bytes: 1, at: $1) }
    }

    /// Locks the phone, or unlocks it: it takes transfers to the watch only while it is unlocked.
    @discardableResult
    mutating func lock(_ isLocked: Bool) -> [String] {
        tell { engine, moment in engine.change(at: moment) { $0.change { $0.isLocked = isLocked } } }
    }

    mutating func unpair() -> [String] {
        tell { engine, moment in
            engine.change(at: moment) { presence in
                do throws(PairingError) {
                    return try presence.unpair(Self.watch)
                } catch {
                    Issue.record("\(error)")
                    return []
                }
            }
        }
    }

    static func identifier(_ number: UInt8) -> UUID {
        UUID(uuid: (0xAA, 0, 0, 0, 0, 0, 0x40, 0, 0x80, 0, 0, 0, 0, 0, 0, number))
    }

    static func name(_ identifier: UUID) -> String { "\(identifier.uuid.15)" }

    // MARK: - In words

    private mutating func describe(_ effect: DeviceEngine.Effect) -> String? {
        let name = Self.name
        switch effect {
        case .log(let event, _):
            logged.append(event.text)
            return nil
        case .messageSent:
            logged.append("message sent")
            return nil
        case .messageAnswered:
            logged.append("message replied")
            return nil
        case .note(let note):
            noted.append(note)
            return nil
        case .write(let package, _, _): return "write \(words(package))"
        case .writeLate(let package, _): return "write late \(words(package))"
        case .disconnect(_, let reason, _): return "disconnect: \(reason)"
        case .misbehaved(_, let error): return "misbehaved: \(error)"
        case .greet, .presenceChanged: return nil
        case .recordCompanion: return "keep watch"
        case .forgetCompanion: return "forget watch"
        case .news(let news): return "news \(news)"
        case .deliver(let package, _, _): return "deliver \(name(package.identifier))"
        case .replied(let message, _): return "replied \(name(message))"
        case .failed(let message, let failure): return "failed \(name(message)): \(failure)"
        case .give(let transfer, let opening): return "give \(name(transfer.identifier)), opening \(opening)"
        case .tellEnd(let transfer, let ending): return "tell end \(name(transfer)): \(ending.reason ?? "delivered")"
        case .load(let transfers, let batch): return "load \(transfers.map(name)), batch \(batch)"
        case .record(let endings): return "record \(endings.map { name($0.identifier) })"
        case .forget(let transfers, let notes): return "forget \(transfers.map(name)), \(notes.count) notes"
        case .keep(let arrivals): return "keep \(arrivals.map { name($0.transfer.identifier) })"
        case .readInbox(let position, let limit): return "read inbox after \(position), up to \(limit)"
        case .remove(let positions, _): return "remove \(positions)"
        case .openSource(let transfer): return "open source \(name(transfer.identifier))"
        case .readPieces(let transfer, let pieces): return "read \(pieces.count) pieces of \(name(transfer))"
        case .closeSource(let transfer): return "close source \(name(transfer))"
        case .openPart(let key, _, _): return "open part \(name(key.transfer))"
        case .append(let key, let chunk, _): return "append \(chunk.bytes.count) to \(name(key.transfer))"
        case .finishPart(let key, _, _, _, _): return "finish \(name(key.transfer))"
        case .closePart(let key): return "close part \(name(key.transfer))"
        case .closeParts: return "close parts"
        case .removePart(let key, _): return "remove part \(name(key.transfer))"
        case .faultInjected(let rule, _, _): return "fault \(rule)"
        default: return "\(effect)"
        }
    }

    private func words(_ package: MessagePackage) -> String {
        guard let answered = package.answers else {
            let name = package.identifier.uuid.0 == 0xAA ? " \(Self.name(package.identifier))" : ""
            return "\(package.command.rawValue)\(name)\(package.startsRound ? ", a new round" : "")"
        }
        return "\(package.status.rawValue) to \(Self.name(answered))"
    }
}
