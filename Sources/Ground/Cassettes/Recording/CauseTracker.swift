import Foundation

/// The events of the open messages and transfers, from which the cause of a later event follows; and their numbers.
struct CauseTracker {
    /// A message or transfer with the sequence of the latest event of each stage.
    private struct Chain {
        /// By the stage's number; 0 for none. Without a table of its own: there is one for each message.
        var latest = SIMD16<Int32>.zero
        var number: Int { Int(latest[Self.place]) }

        /// The place of the number behind those of all stages: beside them it would double the memory.
        private static let place = 15

        init(number: Int) { latest[Self.place] = Int32(clamping: number) }
    }

    /// A call of an app's code.
    private struct Call {
        let side: String
        var sequence: Int
    }

    /// An identifier as two numbers, which are hashed in half of the time that the bytes of a UUID take.
    private struct Key: Hashable {
        private let parts: SIMD2<UInt64>

        init(_ identifier: UUID) {
            parts = withUnsafeBytes(of: identifier.uuid) { $0.loadUnaligned(as: SIMD2<UInt64>.self) }
        }

        func hash(into hasher: inout Hasher) {
            hasher.combine(parts.x)
            hasher.combine(parts.y)
        }
    }

    private var chains: [Key: Chain] = [:]
    /// The chain of the latest event, which is newer than that in the table: the events of a message follow each other.
    private var current = Chain(number: 0)
    private var identifier: Key?
    private var order: [Key] = []
    /// The numbers of devices, of which events are told as long as the recording lasts.
    private var devices: [Key: Int] = [:]
    private var numbers = 0
    /// The latest call of each device: the app's code is called once at a time.
    private var calls: [Call] = []

    /// Returns the number of a message, a transfer or a device.
    mutating func number(of identifier: UUID) -> Int {
        turn(to: Key(identifier))
        return current.number
    }

    /// Returns the number of a device, which stays the same however many messages there are.
    mutating func number(ofDevice identifier: UUID) -> Int {
        let key = Key(identifier)
        if let number = devices[key] { return number }
        let number = number(of: identifier)
        if devices.count < CassetteLimits.devices { devices[key] = number }
        return number
    }

    /// Makes a chain the current one, and creates it if necessary.
    private mutating func turn(to next: Key) {
        guard next != identifier else { return }
        if let identifier { chains[identifier] = current }
        identifier = next
        if let chain = chains[next] {
            current = chain
            return
        }
        if let number = devices[next] {
            current = Chain(number: number)
        } else {
            numbers += 1
            current = Chain(number: numbers)
        }
        order.append(next)
        guard order.count >= 2 * CassetteLimits.openPackages else { return }
        for old in order.prefix(CassetteLimits.openPackages) { chains[old] = nil }
        order.removeFirst(CassetteLimits.openPackages)
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
        case .call, .notified, .other: nil
        }
    }

    /// Returns the cause of an event, and remembers the event.
    mutating func cause(of observation: Observation, sequence: Int) -> Int? {
        var cause: Int?
        if let identifier = observation.package {
            turn(to: Key(identifier))
            if let (near, far) = Self.causes(of: observation.stage) {
                let nearest = current.latest[near.rawValue]
                let found = nearest > 0 ? nearest : far.map { current.latest[$0.rawValue] } ?? 0
                if found > 0 { cause = Int(found) }
            }
            current.latest[observation.stage.rawValue] = Int32(clamping: sequence)
        }
        // The app acts because of the call that it is in.
        if observation.isInCall, let place = latestCall(of: observation) { cause = calls[place].sequence }
        if observation.opensCall {
            if let place = latestCall(of: observation) {
                calls[place].sequence = sequence
            } else {
                calls.append(Call(side: observation.side, sequence: sequence))
            }
        }
        return cause
    }

    /// Forgets the calls, because later ones may be among the events that are lost.
    mutating func forgetCalls() { calls.removeAll() }

    private func latestCall(of observation: Observation) -> Int? {
        calls.firstIndex { $0.side == observation.side }
    }
}
