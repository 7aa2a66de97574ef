import Foundation
import Locking

/// All observers of properties that text names.
///
/// They are in one place because Foundation on Linux gives objects no room for them.
enum KeyPathRegistrations {
    private static let all = Mutex<[KeyPathRegistration]>([])

    static func add(_ registration: KeyPathRegistration) {
        all.withLock { all in
            all.removeAll { $0.isOver }
            all.append(registration)
        }
    }

    /// Ends the latest observation that fits, and returns false if none does.
    static func remove(where fits: (KeyPathRegistration) -> Bool) -> Bool {
        let removed = all.withLock { all in all.lastIndex(where: fits).map { all.remove(at: $0) } }
        removed?.end()
        return removed != nil
    }
}
