import DeviceEngine
import Foundation
import LinkProtocol

/// The absence of a watch or its app, which makes the phone give up what it has queued.
extension World {
    func removeApp(_ watch: Int, onPhone: Bool, for span: Duration) {
        chronicle.isAway(watch)
        let identifier = nodes[watch].device.identifier
        if onPhone {
            complications[identifier] = false
            administer { presence throws(PairingError) in try presence.setAppInstalled(false, identifier) }
        } else {
            carryOut(DeviceDeed.uninstall, on: watch)
        }
        schedule(after: span.wholeNanoseconds) { [unowned self] in
            if onPhone {
                takeBack(watch)
            } else {
                carryOut(DeviceDeed.install, on: watch)
            }
            chronicle.isBack(watch, at: now)
        }
    }

    func removePhoneApp(for span: Duration) {
        carryOut(DeviceDeed.uninstall, on: 0)
        schedule(after: span.wholeNanoseconds) { [unowned self] in carryOut(DeviceDeed.install, on: 0) }
    }

    func unpair(_ watch: Int, for span: Duration) {
        chronicle.isAway(watch)
        let identifier = nodes[watch].device.identifier
        administer { presence throws(PairingError) in try presence.unpair(identifier) }
        schedule(after: span.wholeNanoseconds) { [unowned self] in
            takeBack(watch)
            chronicle.isBack(watch, at: now)
        }
    }

    /// Pairs a watch that the phone knows, and installs its app.
    func takeBack(_ watch: Int) {
        let identifier = nodes[watch].device.identifier
        administer { presence throws(PairingError) in
            guard presence.companions[identifier] != nil else { return [] }
            return try presence.pair(identifier) + presence.setAppInstalled(true, identifier)
        }
    }

    /// Shows or hides the complication of a watch.
    func showComplication(_ watch: Int, _ isShown: Bool) {
        let identifier = nodes[watch].device.identifier
        guard let record = nodes[0].process?.ask({ $0.session.presence.record(of: identifier) }) else { return }
        complications[identifier] = isShown && record.isAppInstalled
        administer { presence throws(PairingError) in try presence.setComplication(isShown, identifier) }
    }

    /// Checks the record of a watch that the phone keeps.
    func checkFace(_ companion: Companion) {
        // A crash may take back what was not recorded yet.
        guard nodes[0].lives == 1, companion.hasComplication != complications[companion.identifier] ?? false else {
            return
        }
        chronicle.fail(
            .tellsTruth, "the complication of \(companion.identifier) is recorded as \(companion.hasComplication)")
    }

    /// Changes the phone's records of its watches. A watch that the phone has not met cannot be changed.
    func administer(
        _ change: (inout PresenceStateMachine) throws(PairingError) -> [PresenceStateMachine.Action]
    ) {
        nodes[0].process?.change { presence in
            do throws(PairingError) {
                return try change(&presence)
            } catch {
                trace { "the phone refuses: \(error)" }
                return []
            }
        }
    }
}
