import Foundation
import RecordStorage

@testable import QuizSync
@testable import RecordSync

/// The columns that the tests look at.
extension Record {
    var identifier: UUID { key.identifier }
    var title: String { QuizRow(self)?.title ?? "not a quiz" }
    var takenAt: Date? { QuizRow(self)?.takenAt }
}
