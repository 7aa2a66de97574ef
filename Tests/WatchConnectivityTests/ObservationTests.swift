import Foundation
import TestSupport
import Testing

@testable import WatchConnectivity

@Suite("Observation")
struct ObservationTests {
    @Test("A change reports only what its options request")
    func change() throws {
        let session = WCSession()
        let seen = Collector<String>()
        func describe(_ change: NSKeyValueObservedChange<Bool>) -> String {
            "\(change.kind.rawValue) \(String(describing: change.newValue)) \(String(describing: change.oldValue)) "
                + "\(String(describing: change.indexes)) \(change.isPrior)"
        }
        let observations = [
            session.observe(\.isReachable, options: [.initial, .new]) { seen.add("a " + describe($1)) },
            session.observe(\.isReachable, options: [.old, .prior]) { seen.add("b " + describe($1)) },
            session.observe(\.isPaired, options: [.new]) { seen.add("c " + describe($1)) },
        ]
        session.core.observers.changed(\WCSession.isReachable, of: session, from: false, to: true)
        observations[0].invalidate()
        session.core.observers.changed(\WCSession.isReachable, of: session, from: true, to: false)
        #expect(
            seen.all == [
                "a 1 Optional(false) nil nil false", "a 1 Optional(true) nil nil false",
                "b 1 nil Optional(false) nil false",
                "b 1 nil Optional(true) nil false",
            ])
    }

    @Test("Of a progress that does not belong to a file, only the initial value is reported")
    func progress() {
        let progress = Progress(totalUnitCount: 2)
        let seen = Collector<Double>()
        let observation = progress.observe(\.fractionCompleted, options: [.initial, .new]) { _, change in
            seen.add(change.newValue ?? -1)
        }
        progress.completedUnitCount = 1
        #expect(seen.all == [0])
        observation.invalidate()
    }
}
