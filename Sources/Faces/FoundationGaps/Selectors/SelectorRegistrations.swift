import Foundation
import Locking

/// All observers of notifications with methods.
///
/// They are in one place because Foundation on Linux gives centers no room for them.
enum SelectorRegistrations {
    private static let all = Mutex<[SelectorRegistration]>([])

    /// Adds an observer, and removes those that are gone.
    static func add(_ registration: SelectorRegistration) {
        remove { $0.isOver }
        all.withLock { $0.append(registration) }
        registration.start()
    }

    /// Ends all registrations that fit.
    static func remove(where fits: (SelectorRegistration) -> Bool) {
        let removed = all.withLock { all in
            let removed = all.filter(fits)
            if !removed.isEmpty { all.removeAll(where: fits) }
            return removed
        }
        for registration in removed { registration.end() }
    }
}
