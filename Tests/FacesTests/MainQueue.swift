import Dispatch

enum MainQueue {
    /// Waits until what was given to the main queue before has run.
    static func drain() async {
        await withCheckedContinuation { continuation in DispatchQueue.main.async { continuation.resume() } }
    }
}
