import Dispatch
import Glibc

/// The runtime's last check before it ends a program whose code is isolated to an actor and runs elsewhere. Under lint,
/// the check reports the code, and the program goes on.
enum IsolationHook {
    // The runtime's function is Swift's own kind, with two words and a pointer: they are in the registers that C uses.
    private typealias Check = @convention(c) (UInt, UInt, UnsafeRawPointer?) -> Void
    private typealias Original = @convention(c) (UInt, UInt) -> Void

    private static let name = "swift_task_checkIsolated_hook"
    private static let mainQueue = DispatchSpecificKey<Bool>()
    private static let mainExecutor = identity(of: MainActor.sharedUnownedExecutor)

    private static func identity(of executor: UnownedSerialExecutor) -> UInt {
        unsafeBitCast(executor, to: (UInt, UInt).self).0
    }

    /// - Returns: False if the runtime has no such hook.
    static func install() -> Bool {
        guard let place = dlsym(nil, name) else { return false }
        DispatchQueue.main.setSpecific(key: mainQueue, value: true)
        _ = mainExecutor
        place.assumingMemoryBound(to: Check?.self).pointee = { executor, witness, original in
            IsolationHook.check(executor, witness, original)
        }
        return true
    }

    private static func check(_ executor: UInt, _ witness: UInt, _ original: UnsafeRawPointer?) {
        if executor == mainExecutor {
            guard DispatchQueue.getSpecific(key: mainQueue) != true else { return }
            LintRun.ofProcess?.isolationFailed("MainActor")
        } else if witness == 0 {
            // An actor with the default executor, which recognizes no code but its own tasks.
            let actor = UnsafeRawPointer(bitPattern: executor).map { Unmanaged<AnyObject>.fromOpaque($0) }
            LintRun.ofProcess?.isolationFailed(
                actor.map { String(reflecting: type(of: $0.takeUnretainedValue())) } ?? "an actor")
        } else if let original {
            // An executor of the application's, which has its own check.
            unsafeBitCast(original, to: Original.self)(executor, witness)
        }
    }
}
