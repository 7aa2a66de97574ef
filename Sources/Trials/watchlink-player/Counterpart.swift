import CassetteReplay
import Cassettes
import DeviceControl
import Dispatch
import Foundation
import LinkProtocol
import Locking
import Trials
import WatchConnectivity

/// The app of the counterpart: it carries out what the machine says, and tells it what arrives.
///
/// Unchecked: all properties that change are used on its queue only.
final class Counterpart: NSObject, @unchecked Sendable {
    private let queue = DispatchQueue(label: "counterpart")
    private let redactor = Redactor(RedactionRules(keeping: [RedactionRules.everything]), hash: KeyedHash())
    private static let beginning = ContinuousClock.now
    let control: String
    /// The control socket of the watch, if that is the device whose app is replayed: its link is cut where it begins, so that it
    /// comes back at once, and not when the watch tries again.
    private let ofWatch: String?
    /// The numbers of the phone's watches, by their identifiers.
    let numbers: [String: Int]
    /// The same the other way round.
    let identifiers: [Int: String]
    private var machine: PlayMachine
    private var replies: [Int: Reply] = [:]
    private var lastTicket = 0
    private var timer: (any DispatchSourceTimer)?
    private var end: (any DispatchSourceTimer)?
    private var files = 0
    /// The app's deed that was told last.
    private var toldDeed: Int?
    /// The file that is sent for each recorded one; nil for zeros.
    private let sample: URL?
    /// True if the acknowledgement of a message is to be lost.
    private let losesSome: Bool

    /// The time without an arrival after which nothing more is expected. 2 s: far longer than a package's way.
    private static let quiet = DispatchTimeInterval.seconds(2)
    /// An acknowledgement is a reply without content.
    private static let nextReplyIsLost = FaultRule(.drop, .reply, .outgoing, FaultSelection(limit: 1))
    /// Signalled when everything has been played.
    let done = DispatchSemaphore(value: 0)

    /// The handler of a message that waits for its answer.
    enum Reply {
        case dictionary(([String: Any]) -> Void)
        case data((Data) -> Void)
    }

    /// - Parameters:
    ///   - control: The control socket of the device whose app is replayed.
    ///   - isOfWatch: True if that is a watch.
    ///   - watches: The numbers of its watches by their places, if it is a phone.
    ///   - file: The file that is sent for each recorded one; nil for zeros of its size.
    init(_ play: Play, control: String, isOfWatch: Bool, watches: [Int], file: URL?) {
        (sample, ofWatch, losesSome) = (file, isOfWatch ? control : nil, !play.lost.isEmpty)
        machine = PlayMachine(play)
        let identifiers = watches.indices.map { PlayedWatch.identifier(at: $0 + 1).uuidString }
        numbers = Dictionary(uniqueKeysWithValues: zip(identifiers, watches))
        self.identifiers = Dictionary(uniqueKeysWithValues: zip(watches, identifiers))
        self.control = control
    }

    /// Takes part from now on.
    func start() {
        _ = Self.beginning
        WCSession.default.delegate = self
        queue.async { self.advance() }
    }

    private var now: Int64 { Self.now }
    private static var now: Int64 { Int64((ContinuousClock.now - beginning) / .microseconds(1)) }

    // MARK: - Events

    /// Passes a message or transfer to the machine.
    func take(_ channel: Channel, _ content: [String: Any], _ reply: (([String: Any]) -> Void)? = nil) {
        if let payload = Self.payload(content) { take(channel, payload, reply.map { .dictionary($0) }) }
    }

    func take(_ channel: Channel, _ payload: Payload, _ reply: Reply?) {
        let box = UncheckedBox(reply)
        queue.async {
            var ticket: Int?
            if let reply = box.value {
                // Never one of before: several may be open while others have been answered.
                self.lastTicket += 1
                ticket = self.lastTicket
                self.replies[self.lastTicket] = reply
            }
            let arrival = PlayMachine.Arrival(channel, self.redactor.value(of: payload), ticket: ticket)
            let actions = self.machine.arrived(arrival, at: self.now)
            self.tellDeed()
            self.carryOut(actions)
            self.advance()
        }
        // The session acknowledges a message when the call with it returns; until then it can be decided that this is lost.
        if losesSome, reply == nil, channel == .message || channel == .data { queue.sync {} }
    }

    private func replied(_ payload: Payload, move: Int) {
        queue.async {
            let actions = self.machine.replied(self.redactor.value(of: payload), move: move, at: self.now)
            self.tellDeed()
            self.carryOut(actions)
            self.advance()
        }
    }

    /// Tells the machine what its session can do now.
    func tellCondition() {
        let session = WCSession.default
        let condition: PlayMachine.Condition =
            session.activationState != .activated ? .inactive : session.isReachable ? .reachable : .activated
        queue.async {
            self.carryOut(self.machine.changed(condition, at: self.now))
            self.advance()
        }
    }

    /// Carries out what is due, and waits for the next.
    private func advance() {
        carryOut(machine.timePassed(at: now))
        timer?.cancel()
        timer = nil
        end?.cancel()
        end = machine.isDone ? makeTimer(after: Self.quiet) { [done] in done.signal() } : nil
        guard let deadline = machine.deadline else { return }
        timer = makeTimer(after: .microseconds(Int(clamping: max(0, deadline - now)))) { [weak self] in
            self?.advance()
        }
    }

    private func makeTimer(
        after span: DispatchTimeInterval, _ body: @escaping @Sendable () -> Void
    ) -> any DispatchSourceTimer {
        let timer = DispatchSource.makeTimerSource(queue: queue)
        timer.schedule(deadline: .now() + span)
        timer.setEventHandler(handler: body)
        timer.resume()
        return timer
    }

    // MARK: - Actions

    private func carryOut(_ actions: [PlayMachine.Action]) {
        for action in actions {
            switch action {
            case .activate: WCSession.default.activate()
            case .send(let channel, let data, let bytes, let move, let wantsReply):
                tell(move)
                send(channel, data, bytes: bytes, move: move, wantsReply: wantsReply)
            case .answer(let ticket, let data, let move):
                tell(move)
                answer(ticket, data)
            case .loseAcknowledgement: apply(.fault(.add(Self.nextReplyIsLost)), nil)
            case .link(let isUp): apply(.device(isUp ? .linkUp : .linkDown), ofWatch)
            case .show(let isShown): apply(.device(isShown ? .foreground : .background), nil)
            case .act(let command, let words): act(command, words)
            case .look: carryOut(machine.saw(seenWatches(), at: now))
            case .note(let text): Self.note(text)
            }
        }
    }

    private func send(_ channel: Channel, _ data: Data, bytes: Int, move: Int, wantsReply: Bool) {
        let session = WCSession.default
        do {
            switch channel {
            case .message:
                session.sendMessage(
                    try Self.dictionary(data), replyHandler: wantsReply ? { self.replied($0, move: move) } : nil,
                    errorHandler: { Self.note("event \(move) failed: \($0)") })
            case .data:
                session.sendMessageData(
                    data, replyHandler: wantsReply ? { self.replied(.bytes($0), move: move) } : nil,
                    errorHandler: { Self.note("event \(move) failed: \($0)") })
            case .context: try session.updateApplicationContext(try Self.dictionary(data))
            case .userInfo, .complication: session.transferUserInfo(try Self.dictionary(data))
            case .file: session.transferFile(try file(bytes), metadata: try Self.dictionary(data))
            }
        } catch {
            Self.note("event \(move) cannot be sent: \(error)")
        }
    }

    private func replied(_ reply: [String: Any], move: Int) {
        if let payload = Self.payload(reply) { replied(payload, move: move) }
    }

    /// Returns a dictionary that arrived; nil, with a note, if it cannot be encoded.
    private static func payload(_ dictionary: [String: Any]) -> Payload? {
        do {
            return .propertyList(
                try PropertyListSerialization.data(fromPropertyList: dictionary, format: .binary, options: 0))
        } catch {
            note("a content that arrived cannot be encoded: \(error)")
            return nil
        }
    }

    private func answer(_ ticket: Int, _ data: Data) {
        guard let reply = replies.removeValue(forKey: ticket) else { return }
        do {
            switch reply {
            case .dictionary(let handler): handler(try Self.dictionary(data))
            case .data(let handler): handler(data)
            }
        } catch {
            Self.note("an answer cannot be made: \(error)")
        }
    }

    private static func dictionary(_ data: Data) throws -> [String: Any] {
        try PropertyListSerialization.propertyList(from: data, format: nil) as? [String: Any] ?? [:]
    }

    private func file(_ bytes: Int) throws -> URL {
        files += 1
        let file = FileManager.default.temporaryDirectory.appending(path: "played-\(files)")
        if let sample {
            try FileManager.default.copyItem(at: sample, to: file)
        } else {
            try Data(count: bytes).write(to: file)
        }
        return file
    }

    /// Tells that an event of the cassette is brought about now: if the app fails, it is the last that it was given.
    private func tell(_ move: Int) { tell(.played, move) }

    /// Tells what has arrived: an app that fails then has not recorded all that it did last.
    private func tellDeed() {
        guard let deed = machine.latestDeed, deed != toldDeed else { return }
        toldDeed = deed
        tell(.got, deed)
    }

    private func tell(_ kind: PlayedEvent.Kind, _ event: Int) {
        FileHandle.standardError.write(Data((PlayedEvent(kind, event: event, time: now).line + "\n").utf8))
    }

    static func note(_ text: String) {
        let seconds = String(format: "%.3f", Double(now) / 1_000_000)
        FileHandle.standardError.write(Data("counterpart: \(seconds) s: \(text)\n".utf8))
    }
}
