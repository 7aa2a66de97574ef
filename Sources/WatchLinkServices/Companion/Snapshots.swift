import Foundation
import QuizSync

/// A service has no face to take a picture of: the request is answered by the log line that its scheduler writes.
struct Snapshots: SnapshotScheduling {
    func scheduleSnapshotRefresh(withPreferredDate date: Date) {}
}
