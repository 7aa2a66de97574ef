import CLinkedControl
import Locking

/// The drawing of timelines by `WatchLinkTestingTimeline`, which is above this module and part of the same product.
package enum LinkedTimeline {
    /// Returns a page in HTML; nil if the devices did nothing.
    package typealias Draw = @Sendable ([DeviceEvidence]) throws -> String?

    private static let given = Mutex<Draw?>(nil)

    /// This program's drawing; nil if it is not linked with the module.
    static let ofProgram: Draw? = {
        watchlink_ask_for_test_timeline()
        return given.withLock { $0 }
    }()

    package static func give(_ draw: @escaping Draw) { given.withLock { $0 = draw } }
}
