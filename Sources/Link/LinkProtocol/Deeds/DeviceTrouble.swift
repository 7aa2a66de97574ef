import Foundation

/// A fault, condition or state that keeps a device from working as expected: forgotten ones are the first suspects.
package struct DeviceTrouble: Equatable, Sendable {
    package let text: String
    /// True if something fails because of it; false if it is only slower, or in a state that a person chose.
    package let isGrave: Bool
    /// The words of the command that removes the trouble, after the program's name.
    package let remedy: [String]

    private init(_ text: String, isGrave: Bool = true, _ remedy: String...) {
        self.text = text
        self.isGrave = isGrave
        self.remedy = remedy
    }

    /// Returns all deliberate trouble of a device: faults first, then the link, then the actions of a person.
    package static func all(of side: DeviceRole, in situation: DeviceSituation) -> [DeviceTrouble] {
        faults(side.rawValue, situation) + link(side.rawValue, situation) + person(side, situation)
    }

    private static func faults(_ side: String, _ situation: DeviceSituation) -> [DeviceTrouble] {
        var troubles = situation.rules.map { DeviceTrouble("a fault is active: \($0)", "faults", side, "clear") }
        if situation.held > 0 {
            troubles.append(DeviceTrouble("\(situation.held) packages are held by faults", "faults", side, "release"))
        }
        if situation.disk.fault != .none {
            let writes = situation.disk.after == 0 ? "" : " after \(situation.disk.after) writes"
            troubles.append(
                DeviceTrouble(
                    "the disk below the databases fails on demand: \(situation.disk.fault.rawValue)\(writes)",
                    "faults", side, "disk", "none"))
        }
        if situation.reachability != ReachabilityFault() {
            troubles.append(
                DeviceTrouble(
                    "reachability is falsified: \(situation.reachability.words.joined(separator: " "))",
                    "faults", side, "reachability", "right"))
        }
        if situation.activation != ActivationFault() {
            troubles.append(
                DeviceTrouble(
                    "the next activation of the session will misbehave: "
                        + situation.activation.words.joined(separator: " "), "faults", side, "clear"))
        }
        return troubles
    }

    private static func link(_ side: String, _ situation: DeviceSituation) -> [DeviceTrouble] {
        var troubles: [DeviceTrouble] = []
        if !situation.isLinkUp { troubles.append(DeviceTrouble("the link is down", "device", side, "link-up")) }
        if situation.condition != LinkCondition() {
            troubles.append(
                DeviceTrouble(
                    "the link is conditioned: \(situation.condition)", isGrave: situation.condition.isBroken,
                    "link", side, "condition", "perfect"))
        }
        for (device, condition) in situation.conditions.sorted(by: { $0.key.uuidString < $1.key.uuidString })
        where condition != LinkCondition() {
            troubles.append(
                DeviceTrouble(
                    "the link to \(device) is conditioned: \(condition)", isGrave: condition.isBroken,
                    "link", side, "condition", "perfect", "--device", device.uuidString))
        }
        return troubles
    }

    private static func person(_ side: DeviceRole, _ situation: DeviceSituation) -> [DeviceTrouble] {
        let own = situation.own
        func device(_ text: String, isGrave: Bool = true, _ deed: DeviceDeed) -> DeviceTrouble {
            DeviceTrouble(text, isGrave: isGrave, "device", side.rawValue, deed.rawValue)
        }
        var troubles: [DeviceTrouble] = []
        if !own.isAppInstalled { troubles.append(device("the app is not installed", .install)) }
        if own.isLocked { troubles.append(device("the phone was restarted and is locked", .unlock)) }
        if own.application != .foreground {
            troubles.append(
                device("the app is \(own.application.rawValue)", isGrave: !own.application.isRunning, .foreground))
        }
        if own.isWristDown { troubles.append(device("the wrist is down", isGrave: false, .wristUp)) }
        for companion in situation.companions where !companion.isPaired {
            troubles.append(
                DeviceTrouble(
                    "the watch \(companion.identifier) is not paired", "watches", "pair",
                    companion.identifier.uuidString))
        }
        for companion in situation.companions where !companion.isAppInstalled {
            troubles.append(
                DeviceTrouble(
                    "the watch \(companion.identifier) does not have the app", "watches", "install",
                    companion.identifier.uuidString))
        }
        return troubles
    }
}

extension LinkCondition {
    /// True if nothing gets through, now or from time to time.
    fileprivate var isBroken: Bool {
        refuses || flapping != nil || [outgoing, incoming].contains { $0.isStalled || $0.cutAfterBytes != nil }
    }
}
