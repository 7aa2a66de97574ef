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

    /// A reply to a message that the call gave up resumes once more.
    func fetchTwice() async -> Int {
        await withCheckedContinuation { continuation in
            WCSession.default.sendMessage(["n": 7]) { _ in
                continuation.resume(returning: 1)
            } errorHandler: { _ in
                continuation.resume(returning: 0)
            }
            continuation.resume(returning: -1)
        }
    }
}
