package import CrashPoints
import RecordSync

extension CrashPoint {
    package static let quizDecoded = RecordApplication.quizzes.crashPoints.decoded
    package static let quizCommitted = RecordApplication.quizzes.crashPoints.committed
    package static let quizReplied = RecordApplication.quizzes.crashPoints.replied
    package static let quizAccepted = RecordApplication.quizzes.crashPoints.accepted
}
