import Dispatch
import Foundation
import VirtualTime

/// What happens in a world of this program.
enum Body: String, CaseIterable {
    case sleep, tasks
    case lostUpdate = "lost-update"
    case fails, deadlock, trap, abort, exits, spins, sleepless, children, unrepeatable, uneven
    case longTrace = "long-trace"
    case coreLimit = "core-limit"

    func callAsFunction() {
        switch self {
        case .sleep: Self.sleepAnHour()
        case .tasks: Self.startTasks()
        case .lostUpdate: Self.loseUpdate()
        case .fails: World.fail("stored 3 of 21")
        case .deadlock: DispatchSemaphore(value: 0).wait()
        case .trap: _ = Int.max + Self.one
        case .abort: Foundation.abort()
        case .exits: exit(7)
        case .spins: while Self.one == 1 {}
        case .sleepless: Self.sleepForEver()
        case .children: Self.startChild()
        case .uneven:
            // Some seeds take a while of real time.
            var sum = 0
            for number in 0..<(Bool.random() ? 5_000_000 : 1) { sum &+= number &* Self.one }
            World.trace("\(UUID()) \(sum)")
            World.finish()
        case .unrepeatable:
            // The kernel's own number of this process.
            World.trace("process \((try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self")) ?? "?")")
            World.finish()
        case .coreLimit:
            var limit = rlimit()
            getrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &limit)
            World.trace("core \(limit.rlim_cur)")
            World.finish()
        case .longTrace:
            for number in 0..<2_000_000 { World.trace("line \(number) of very many") }
            World.finish()
        }
    }

    /// Nothing that the compiler knows.
    private static let one = CommandLine.arguments.isEmpty ? 0 : 1

    private static func sleepAnHour() {
        Task {
            try await Task.sleep(for: .seconds(3_600))
            World.trace("slept until \(Date()), \(UUID()), \(World.now.components.seconds) s")
            World.finish()
        }
    }

    private static func startTasks() {
        Task {
            await withTaskGroup(of: Void.self) { group in
                for number in 0..<6 {
                    group.addTask {
                        World.trace("child \(number)")
                        await Task.yield()
                        World.trace("child \(number) again")
                    }
                }
            }
            World.finish()
        }
    }

    private actor Store {
        private var total = 0

        /// The planted mistake: what another adds meanwhile is lost. The store is slow by 0 to 99 ms.
        func add(_ number: Int) async throws {
            let before = total
            try await Task.sleep(for: .milliseconds(World.choose(.latency, among: 100)))
            total = before + number
        }

        func judge() { total == 10 ? World.finish() : World.fail("stored \(total) of 10") }
    }

    /// Four additions, 60 ms apart.
    private static func loseUpdate() {
        let store = Store()
        Task {
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 1...4 {
                    group.addTask {
                        try await Task.sleep(for: .milliseconds(60 * number))
                        try await store.add(number)
                    }
                }
                try await group.waitForAll()
            }
            await store.judge()
        }
    }

    /// Goes on for ever, a second at a time.
    private static func sleepForEver() {
        Task { while true { try await Task.sleep(for: .seconds(1)) } }
    }

    /// Ends while a child of its own runs.
    private static func startChild() {
        let child = Process()
        child.executableURL = URL(fileURLWithPath: "/bin/sleep")
        child.arguments = ["0.01"]
        do { try child.run() } catch { World.fail("\(error)") }
        World.finish()
    }
}
