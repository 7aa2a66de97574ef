import Foundation
import TestSupport
import Testing

@testable import WatchConnectivity

@Suite("The progress of a file")
struct FileProgressTests {
    private let seen = Collector<String>()

    /// Collects the changes of a progress.
    private func observe(_ progress: FileTransferProgress) -> [NSKeyValueObservation] {
        [
            progress.observe(\.completedUnitCount, options: [.old, .new]) { [seen] _, change in
                seen.add("count \(change.oldValue ?? -1) \(change.newValue ?? -1)")
            },
            progress.observe(\.fractionCompleted, options: [.old, .new]) { [seen] _, change in
                seen.add("fraction \(change.oldValue ?? -1) \(change.newValue ?? -1)")
            },
            progress.observe(\.isFinished, options: [.old, .new]) { [seen] _, change in
                seen.add("finished \(change.oldValue ?? true) \(change.newValue ?? false)")
            },
            progress.observe(\.isCancelled, options: [.old, .new]) { [seen] _, change in
                seen.add("cancelled \(change.oldValue ?? true) \(change.newValue ?? false)")
            },
        ]
    }

    @Test("Each step is told once with both values, and the last one also as the end")
    func steps() {
        let progress = FileTransferProgress(size: 8)
        let observations = observe(progress)
        #expect(progress.totalUnitCount == 8)
        progress.advance(to: 0)
        #expect(seen.all == [])
        for bytes: Int64 in [2, 2, 8, 8] { progress.advance(to: bytes) }
        #expect(
            seen.all == [
                "count 0 2", "fraction 0.0 0.25", "count 2 8", "fraction 0.25 1.0", "finished false true",
            ])
        #expect(progress.isFinished)
        for observation in observations { observation.invalidate() }
    }

    @Test("A byte less than all is not the end, and more than all counts as all")
    func bounds() {
        let progress = FileTransferProgress(size: 8)
        progress.advance(to: 7)
        #expect(progress.completedUnitCount == 7)
        #expect(!progress.isFinished)
        progress.advance(to: 9)
        #expect(progress.completedUnitCount == 8)
        #expect(progress.isFinished)
    }

    @Test("An empty file has one unit, which is complete when the file is")
    func empty() {
        let progress = FileTransferProgress(size: 0)
        #expect(progress.totalUnitCount == 1)
        #expect(!progress.isFinished)
        progress.advance(to: 0)
        #expect(progress.completedUnitCount == 1)
        #expect(progress.isFinished)
    }

    @Test("It is cancelled once, and cannot be paused")
    func cancelled() {
        let cancellations = Collector<Bool>()
        let progress = FileTransferProgress(size: 8) { cancellations.add(true) }
        let observations = observe(progress)
        #expect(!progress.isPausable)
        for _ in 1...2 { progress.cancel() }
        #expect(progress.isCancelled)
        #expect(cancellations.all == [true])
        #expect(seen.all == ["cancelled false true"])
        for observation in observations { observation.invalidate() }
    }
}
