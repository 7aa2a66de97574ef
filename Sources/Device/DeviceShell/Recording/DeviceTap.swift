import Locking

/// The place at which a device tells its events to a witness. Without one, an event costs one flag check.
package final class DeviceTap: Sendable {
    private struct Held: Sendable {
        var witness: (any DeviceWitness)?
    }

    private let isOpen = SharedFlag()
    private let held = Mutex(Held())

    package init() {}

    /// Tells events to a witness from now on.
    ///
    /// - Returns: False if there is one already, which stays.
    package func open(_ witness: any DeviceWitness) -> Bool {
        held.withLock { held in
            guard held.witness == nil else { return false }
            held.witness = witness
            isOpen.set()
            return true
        }
    }

    /// True if events are told to a witness.
    package var isTold: Bool { isOpen.isSet }

    /// Stops telling events.
    package func close() {
        held.withLock { held in
            held.witness = nil
            isOpen.set(false)
        }
    }

    /// Tells an event, if there is a witness; only then is it made.
    package func note(_ event: @autoclosure () -> DeviceEvent) {
        guard isOpen.isSet else { return }
        held.withLock { $0.witness }?.saw(event())
    }
}
