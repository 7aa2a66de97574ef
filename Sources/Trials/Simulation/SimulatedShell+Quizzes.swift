import DeviceEngine
import Foundation
import LinkProtocol
import QuizSync

/// The device's program as the quiz application sees it.
extension SimulatedShell: QuizProcess {
    func sendQuiz(_ quiz: UUID, after predecessor: UUID?) {
        send(quiz, to: world.nodes[0].device.identifier, isQuiz: true, after: predecessor)
    }

    func quizEnded(_ quiz: UUID, _ reply: DelegateCalls.Reply) {
        switch reply {
        case .success(let data): quizzes.replied(quiz, data)
        case .failure(let failure): quizzes.failed(quiz, failure.code, reason: "WCError \(failure.code.rawValue)")
        }
    }

    func quizArrived(_ package: MessagePackage, _ device: Device) {
        quizzes.arrived(
            package.identifier, from: device.identifier, after: package.dataPackage.flatMap(Self.identifier))
    }

    /// Decodes a predecessor from a simulated package.
    private static func identifier(_ bytes: Data) -> UUID? {
        guard bytes.count == MemoryLayout<uuid_t>.size else { return nil }
        return UUID(uuid: bytes.withUnsafeBytes { $0.loadUnaligned(as: uuid_t.self) })
    }

    func answerQuiz(_ quiz: UUID, of device: UUID, _ reply: Data) {
        let message = MessagePackage(
            identifier: quiz, command: .sendMessageData, status: .sent, wantsReply: true, timestamp: node.wallClock)
        act { $0.answer(message, of: device, with: .reply(reply), at: $1) }
    }

    func commit<Result>(
        isEager: Bool, _ change: @escaping (inout AppRecords) -> Result, _ done: @escaping (Result?) -> Void
    ) {
        commit(node.app, isEager: isEager, change, done)
    }
}
