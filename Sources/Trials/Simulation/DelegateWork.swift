/// What waits for an app's delegate, one after the other; all of it while the app does not run.
struct DelegateWork {
    struct Item {
        let run: () -> Void
        /// Called instead when the app's process ends before its turn.
        let discard: () -> Void
    }

    var items: [Item] = []
    var isHeld = false
    var isRunning = false
}
