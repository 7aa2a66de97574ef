import Dispatch
import Locking

/// Requests to several devices at the same time; one that does not answer does not delay the others.
enum EachDevice {
    /// Returns the answers, in the order of the devices.
    static func ask<Answer: Sendable>(
        _ devices: [CommandDevice], _ question: @Sendable (_ device: CommandDevice) -> Answer
    ) -> [Answer] {
        let answers = Mutex([Int: Answer]())
        DispatchQueue.concurrentPerform(iterations: devices.count) { index in
            let answer = question(devices[index])
            answers.withLock { $0[index] = answer }
        }
        return answers.withLock { answers in devices.indices.compactMap { answers[$0] } }
    }
}
