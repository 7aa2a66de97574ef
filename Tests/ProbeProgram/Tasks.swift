import CVirtualTime
import Foundation

private actor Counter {
    var count = 0
    func add() async {
        let seen = count
        await Task.yield()
        count = seen + 1
    }
}

/// Loads what it lacks from another actor, which is always free; meanwhile, its other callers lack it too.
private actor Cache {
    private let source = Source()
    private var value: Int?

    func read() async -> Int {
        if let value { return value }
        let loaded = await source.load()
        value = loaded
        return loaded
    }

    var loads: Int { get async { await source.loads } }
}

private actor Source {
    private(set) var loads = 0

    func load() -> Int {
        loads += 1
        return loads
    }
}

extension Construct {
    /// Swift's concurrency.
    static let tasks = [
        Construct("sleep") {
            Task {
                let date = Date()
                let continuous = ContinuousClock.now
                let suspending = SuspendingClock.now
                try await Task.sleep(for: .seconds(3600))
                let since = Date().timeIntervalSince(date)
                trace("date +\(Int(since)) continuous +\((ContinuousClock.now - continuous).components.seconds)")
                trace("suspending +\((SuspendingClock.now - suspending).components.seconds)")
                finish()
            }
        },
        Construct("entropy") {
            trace("identifier \(UUID()) number \(Int.random(in: 0...999_999)) date \(Date().timeIntervalSince1970)")
            let pairs = (0..<12).map { ("key \($0)", $0) }
            trace("dictionary \(Dictionary(uniqueKeysWithValues: pairs).map(\.value)) set \(Array(Set(0..<12)))")
            var bytes = [UInt8](repeating: 0, count: 8)
            let file = open("/dev/urandom", O_RDONLY)
            trace("device \(read(file, &bytes, 8)) \(bytes)")
            close(file)
            finish()
        },
        Construct("tasks") {
            let counter = Counter()
            Task {
                await withTaskGroup(of: Void.self) { group in
                    for child in 0..<6 {
                        group.addTask {
                            trace("child \(child)")
                            await counter.add()
                        }
                    }
                }
                trace("count \(await counter.count)")
                _ = await Task.detached { trace("detached, main thread \(onMainThread())") }.value
                await MainActor.run { trace("main actor, main thread \(onMainThread())") }
                finish()
            }
        },
        Construct("re-entrancy") {
            let cache = Cache()
            Task {
                async let one = cache.read()
                async let other = cache.read()
                trace("read \(await [one, other])")
                trace("loads \(await cache.loads)")
                finish()
            }
        },
        Construct("streams") {
            let (stream, continuation) = AsyncStream<Int>.makeStream()
            for number in 0..<3 {
                Task {
                    try await Task.sleep(for: .milliseconds(Int.random(in: 0...50)))
                    continuation.yield(number)
                }
            }
            Task {
                var count = 0
                for await number in stream {
                    trace("got \(number)")
                    count += 1
                    if count == 3 { break }
                }
                let value = await withCheckedContinuation { waiter in
                    DispatchQueue.global().asyncAfter(deadline: .now() + 60) { waiter.resume(returning: 7) }
                }
                trace("continuation \(value)")
                finish()
            }
        },
    ]
}

/// `Thread.isMainThread` is not to be used in asynchronous code; here it is what is looked at.
private func onMainThread() -> Bool { Thread.isMainThread }
