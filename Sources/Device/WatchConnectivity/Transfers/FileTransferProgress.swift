import Foundation
import KeyValueObservation

/// The progress of a file in bytes, with its observers.
// Proof of `@unchecked Sendable`: it adds an observer list and a constant to Foundation's class; counts change on the
// delegate queue only.
final class FileTransferProgress: Progress, ObservedProgress, @unchecked Sendable {
    let observers = ObserverList<Progress>()
    private let size: Int64
    private let onCancel: @Sendable () -> Void

    /// - Parameter onCancel: Called when the application cancels the progress.
    init(size: Int64, onCancel: @escaping @Sendable () -> Void = {}) {
        self.size = size
        self.onCancel = onCancel
        super.init(parent: nil, userInfo: nil)
        // An empty file has one unit, because a progress of zero units never finishes.
        totalUnitCount = max(size, 1)
        isPausable = false
    }

    /// Cancels the transfer.
    override func cancel() {
        let wasCancelled = isCancelled
        super.cancel()
        guard !wasCancelled else { return }
        onCancel()
        observers.changed(\Progress.isCancelled, of: self, from: false, to: true)
    }

    /// Updates the byte count, and notifies the observers. On the delegate queue.
    func advance(to bytes: Int64) {
        let (oldCount, oldFraction) = (completedUnitCount, fractionCompleted)
        let count = bytes >= size ? totalUnitCount : bytes
        guard count != oldCount else { return }
        completedUnitCount = count
        observers.changed(\Progress.completedUnitCount, of: self, from: oldCount, to: completedUnitCount)
        observers.changed(\Progress.fractionCompleted, of: self, from: oldFraction, to: fractionCompleted)
        if isFinished { observers.changed(\Progress.isFinished, of: self, from: false, to: true) }
    }
}
