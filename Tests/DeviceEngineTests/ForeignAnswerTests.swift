import DeviceEngine
import Foundation
import LinkProtocol
import Testing

/// Answers of a watch to what was sent to another one.
@Suite("The engine: no device speaks for another")
struct ForeignAnswerTests {
    private var trial: EngineTrial

    init() throws { trial = try EngineTrial() }

    @Test("A watch cannot end the transfer of another one")
    mutating func answer() {
        _ = trial.queue(trial.transfer(1))
        _ = trial.connectOther()
        let package = MessagePackage(
            identifier: EngineTrial.identifier(99), command: .transferUserInfo, status: .replied,
            answers: EngineTrial.identifier(1), timestamp: Date())
        #expect(trial.tell { $0.received(package, from: EngineTrial.other, bytes: 1, at: $1) } == [])
        #expect(trial.engine.pendingTransfers == 1)
        _ = trial.answer(1)
        #expect(trial.waitOn() == ["record [\"1\"]"])
    }

    @Test("The progress that another watch reports is not that of the file's receiver")
    mutating func progress() throws {
        let transfer = trial.transfer(1, .file, isFile: true)
        _ = trial.queue(transfer)
        _ = trial.tell { $0.sourceOpened(transfer.identifier, at: $1) }
        _ = trial.connectOther()
        let package = try FilePackage.progress(
            transfer.identifier, offset: 0, identifier: EngineTrial.identifier(97), timestamp: Date())
        let before = trial.engine.nextDeadline
        #expect(trial.tell { $0.received(package, from: EngineTrial.other, bytes: 1, at: $1) } == [])
        let after = trial.engine.nextDeadline
        #expect(after == before)
    }
}
