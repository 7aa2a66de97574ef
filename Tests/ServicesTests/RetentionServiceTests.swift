import EventLog
import Foundation
import QuizSync
import RecordStorage
import TestSupport
import Testing

@testable import Services

@Suite("What the host keeps")
struct RetentionServiceTests {
    @Test("While quizzes are removed, the status of the host does not wait for it")
    func status() throws {
        let scratch = try Scratch()
        let store = try SQLiteRecordStore(kind: .quizzes, path: scratch.path("quizzes.sqlite"))
        var retention = Retention()
        retention.days = 30
        let keeper = RetentionService(of: .quizzes, store: store, retention: retention, logger: .silent)
        let counts = Collector<Int>()
        let (begun, gate) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let removal = Thread {
            // An empty database cannot fail; if it does there is no count.
            let removed = try? keeper.expireConfirmed {
                counts.add($0)
                begun.signal()
                gate.wait()
            }
            if let removed { counts.add(removed) }
        }
        removal.start()
        begun.wait()
        let held = Collector<Int>()
        Thread { held.add(keeper.heldBack) }.start()
        held.expect("it waits") { $0 == [0] }
        gate.signal()
        counts.expect { $0 == [0, 0] }
    }
}
