package import CrashPoints

extension CrashPoint {
    package static let quizDecoded = CrashPoint("quiz-decoded")
    package static let quizCommitted = CrashPoint("quiz-committed")
    package static let quizReplied = CrashPoint("quiz-replied")
    package static let quizAccepted = CrashPoint("quiz-accepted")
    package static let acknowledgementReceived = CrashPoint("acknowledgement-received")
    package static let endRecorded = CrashPoint("end-recorded")
}
