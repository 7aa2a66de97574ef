import CVirtualTime
import Foundation
import Locking
import Testing

@Suite("Threads and their processors")
struct ProcessorTests {
    /// Runs on that many threads, each of which takes a processor while all others have theirs; returns the processors.
    private static func taken(by threads: Int) -> [Int32] {
        let taken = Mutex<[Int32]>([])
        let everybody = DispatchGroup()
        for _ in 0..<threads { everybody.enter() }
        Thread.inParallel(threads) {
            let processor = virtual_time_take_processor()
            taken.withLock { $0.append(processor) }
            everybody.leave()
            everybody.wait()
            virtual_time_give_processor_back(processor)
        }
        return taken.withLock { $0 }
    }

    /// The number of processors that this process may use; the system's list of them is a mask in hexadecimal digits.
    private static var allowed: Int {
        let status = FileManager.default.contents(atPath: "/proc/self/status").map {
            String(decoding: $0, as: UTF8.self)
        }
        let line = status?.split(separator: "\n").first { $0.hasPrefix("Cpus_allowed:") }
        return line.map { $0.dropFirst(13).reduce(0) { $0 + ($1.hexDigitValue?.nonzeroBitCount ?? 0) } } ?? 0
    }

    // In a process of its own, because conductors of other tests take processors, too.
    @Test(
        "Each of as many threads as there are processors has one for itself, and three of each share it with two others"
    )
    func shares() async {
        await #expect(processExitsWith: .success) {
            let allowed = Self.allowed
            // Also those that come after others have given theirs back.
            for threads in [allowed, allowed * 3, 1, allowed] {
                let shares = Dictionary(grouping: Self.taken(by: threads)) { $0 }.mapValues(\.count)
                let most = (threads + allowed - 1) / allowed
                #expect(shares.values.allSatisfy { $0 <= most } && shares[-1] == nil, "\(threads) threads: \(shares)")
            }
        }
    }

    @Test(
        "All threads run at the same time, however many there are, and the caller waits for the last",
        .timeLimit(.minutes(5)))
    func together() {
        let threads = ProcessInfo.processInfo.activeProcessorCount * 2 + 1
        #expect(Self.taken(by: threads).count == threads)
    }
}
