import Foundation
import LinkProtocol
import LinkTransport

/// A simulated person who changes watches: it keeps the timer of the state machine, and reports the watch to which the
/// phone is switched.
// Proof of `@unchecked Sendable`: used in turns of the loop only, one at a time, which `EventLoop` asserts.
final class WatchSwitcher: @unchecked Sendable {
    private let loop: EventLoop
    private var machine: WatchSwitchMachine
    private let watches: () -> (active: UUID?, paired: [UUID])
    private let onSwitch: (UUID) -> Void

    init(
        loop: EventLoop, seed: UInt64, watches: @escaping () -> (active: UUID?, paired: [UUID]),
        onSwitch: @escaping (UUID) -> Void
    ) {
        self.loop = loop
        machine = WatchSwitchMachine(.ofProcess(seed: seed))
        (self.watches, self.onSwitch) = (watches, onSwitch)
    }

    func start() {
        machine.start(active: watches().active, at: .now)
        arm()
    }

    private func arm() {
        guard let deadline = machine.nextDeadline else { return }
        _ = loop.schedule(at: deadline) { [weak self] in
            guard let self else { return }
            let (active, paired) = watches()
            if let watch = machine.deadlinePassed(at: .now, active: active, paired: paired) { onSwitch(watch) }
            arm()
        }
    }
}
