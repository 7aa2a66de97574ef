import Foundation
import Locking
import QuizSync
import TestSupport

/// A phone that answers quizzes as a test specifies, regardless of all rules.
final class LyingHost: NSObject, WCSessionDelegate {
    typealias Answer = @Sendable (_ quiz: QuizData, _ archive: Data) throws -> QuizAcknowledgement

    private let session: WCSession
    private let answers: Mutex<[Answer]>
    /// The received quizzes, in order.
    let arrived = Collector<UUID>()

    /// - Parameter answers: One for each received quiz, in order; the last one for all later ones.
    init(_ socketPath: String, state: String, answers: [Answer]) {
        self.answers = Mutex(answers)
        var configuration = DeviceConfiguration(
            device: Device(identifier: UUID(), role: .host, name: "liar"), socketPath: socketPath)
        configuration.stateDirectory = state
        session = WCSession(configuration: configuration)
        super.init()
        session.delegate = self
        session.activate()
    }

    func session(_ session: WCSession, activationDidCompleteWith state: WCSessionActivationState, error: (any Error)?) {
    }
    func sessionDidBecomeInactive(_ session: WCSession) {}
    func sessionDidDeactivate(_ session: WCSession) {}

    func session(
        _ session: WCSession, didReceiveMessageData messageData: Data, replyHandler: @escaping (Data) -> Void
    ) {
        do {
            let archive = try EncodedData(payload: messageData)
            let quiz = try archive.quizData
            arrived.add(quiz.identifier)
            let answer = answers.withLock { $0.count > 1 ? $0.removeFirst() : $0[0] }
            replyHandler(try answer(quiz, archive.data).archivedData())
        } catch {
            // A failure here means that the awaited event never happens.
            replyHandler(Data("\(error)".utf8))
        }
    }

    func stop() {
        let done = DispatchSemaphore(value: 0)
        session.shutDown("the test is over") { done.signal() }
        done.wait()
    }
}
