import WatchConnectivity

/// Messages as async calls.
struct Fetcher {
    func fetch() async -> Int {
        await withCheckedContinuation { continuation in
            WCSession.default.sendMessage(["n": 7]) { _ in
                continuation.resume(returning: 1)
            } errorHandler: { _ in
                continuation.resume(returning: 0)
            }
        }
    }

    /// An error resumes nobody.
    func fetchForEver() async -> Int {
        await withCheckedContinuation { continuation in
            WCSession.default.sendMessage(["n": 7]) { _ in
                continuation.resume(returning: 1)
            } errorHandler: { _ in
            }
        }
    }

    /// Gives up before the answer, whose handler resumes once more.
    func fetchTwice() async -> Int {
        await withCheckedContinuation { continuation in
            continuation.resume(returning: -1)
            WCSession.default.sendMessage(["n": 7]) { _ in
                continuation.resume(returning: 1)
            } errorHandler: { _ in
                continuation.resume(returning: 0)
            }
        }
    }
}
