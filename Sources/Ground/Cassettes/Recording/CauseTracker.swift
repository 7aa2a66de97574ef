import Foundation

/// The events of the open messages and transfers, from which the cause of a later event follows; and their numbers.
struct CauseTracker {
    /// A message or transfer with the sequence of the latest event of each stage.
    private struct Chain {
        let number: Int
        /// By the stage's number; 0 for none. Without a table of its own: there is one for each message.
        var latest = SIMD16<Int32>.zero
    }

    private struct Caller: Hashable {
        let side: String
        let thread: UInt
    }

    private var chains: [UUID: Chain] = [:]
    private var order: [UUID] = []
    private var numbers = 0
    /// The calls of the apps' code that have not returned.
    private var calls: [Caller: [Int]] = [:]

    /// Returns the number of a message, a transfer or a device.
    mutating func number(of identifier: UUID) -> Int {
        if let chain = chains[identifier] { return chain.number }
        numbers += 1
        chains[identifier] = Chain(number: numbers)
        order.append(identifier)
        if order.count >= 2 * CassetteLimits.openPackages {
            for old in order.prefix(CassetteLimits.openPackages) { chains[old] = nil }
            order.removeFirst(CassetteLimits.openPackages)
        }
        return numbers
    }

    /// Returns the stages that cause a stage, the nearer first.
    private static func causes(of stage: Observation.Stage) -> (Observation.Stage, Observation.Stage?)? {
        switch stage {
        case .written: (.call, nil)
        case .read: (.written, nil)
        case .delivered: (.read, nil)
        case .answered: (.delivered, nil)
        case .answerWritten: (.answered, .read)
        case .answerRead: (.answerWritten, .written)
        case .ended: (.answerRead, .call)
        case .call, .notified, .returned, .other: nil
        }
    }

    /// Returns the cause of an event, and remembers the event.
    mutating func cause(of observation: Observation, sequence: Int) -> Int? {
        let caller = Caller(side: observation.side, thread: observation.thread)
        var cause: Int?
        if let identifier = observation.package {
            let latest = chains[identifier]?.latest ?? .zero
            if let (near, far) = Self.causes(of: observation.stage) {
                let found = latest[near.rawValue] > 0 ? latest[near.rawValue] : far.map { latest[$0.rawValue] } ?? 0
                if found > 0 { cause = Int(found) }
            }
            chains[identifier]?.latest[observation.stage.rawValue] = Int32(clamping: sequence)
        }
        // The app acts because of the call that it is in.
        if observation.stage == .call || observation.stage == .answered { cause = calls[caller]?.last ?? cause }
        if observation.opensCall { calls[caller, default: []].append(sequence) }
        return cause
    }

    /// Ends the latest call of an app's code on a thread.
    mutating func returned(_ observation: Observation) {
        let caller = Caller(side: observation.side, thread: observation.thread)
        _ = calls[caller]?.popLast()
        if calls[caller]?.isEmpty == true { calls[caller] = nil }
    }
}
