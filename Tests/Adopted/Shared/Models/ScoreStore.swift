import Foundation

#if os(iOS)
    /// The phone keeps all scores.
    final class ScoreStore {
        static let shared = ScoreStore()

        private let lock = NSLock()
        private var scores: [Score] = []

        func add(_ score: Score) {
            lock.lock()
            defer { lock.unlock() }
            scores.append(score)
            print("stored \(score.points) points of \(score.game)")
        }
    }
#elseif os(watchOS)
    /// The watch keeps the last score.
    final class ScoreStore {
        static let shared = ScoreStore()

        var last = Score(game: "Chess", points: 3)
    }
#endif
