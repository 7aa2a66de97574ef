public import Foundation
import RecordSync

extension Notification.Name {
    /// A host's database of quizzes changed. The object is the ``QuizStoreChange``.
    public static let quizStoreDidChange = Notification.Name.storeDidChange(of: .quizzes)
}
