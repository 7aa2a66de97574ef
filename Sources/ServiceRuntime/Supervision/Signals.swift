import Dispatch
import Glibc
import Locking

/// The signals that ask a service to end or to read its configuration again, as calls on the main queue.
public final class Signals: Sendable {
    // Proof: a dispatch source may be used from any thread; these are only kept.
    private struct Sources: @unchecked Sendable {
        var list: [any DispatchSourceSignal] = []
    }

    private let sources = Mutex(Sources())

    /// - Parameter handler: Called with the signal's name, at each signal.
    public init(_ handler: @escaping @Sendable (String) -> Void) {
        for (number, name) in [(SIGTERM, "SIGTERM"), (SIGINT, "SIGINT"), (SIGHUP, "SIGHUP")] {
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: .main)
            source.setEventHandler { handler(name) }
            source.resume()
            let kept = Sources(list: [source])
            sources.withLock { $0.list += kept.list }
        }
        // A peer that is gone is an error of the write, not the end of the process.
        signal(SIGPIPE, SIG_IGN)
    }
}
