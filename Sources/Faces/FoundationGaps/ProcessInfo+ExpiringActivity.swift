import Dispatch
public import Foundation
import Locking

extension ProcessInfo {
    /// Calls a block on another queue, with false. The time never expires, because no process is suspended here.
    ///
    /// - Parameters:
    ///   - reason: The reason for which the app wants to go on; it is not used.
    ///   - block: The activity, which may take as long as it needs.
    public func performExpiringActivity(withReason reason: String, using block: @escaping (Bool) -> Void) {
        let block = UncheckedBox(block)
        DispatchQueue.global().async { block.value(false) }
    }
}
