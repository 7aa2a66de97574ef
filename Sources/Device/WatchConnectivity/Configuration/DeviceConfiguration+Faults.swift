import LinkProtocol
package import Words

extension DeviceConfiguration {
    /// Adds a fault that is in effect from the start, before the application can do anything.
    ///
    /// - Parameter text: The words of a ``FaultDeed``, such as `fail activation with=genericError times=1`.
    package mutating func addFault(_ text: String) throws(WordError) {
        let words = text.split(separator: " ").map(String.init)
        switch try FaultDeed(words: words) {
        case .add(let rule): faults.append(rule)
        case .addAtApp(let fault): appFaults.append(fault)
        case .reachability(let fault): reachabilityFault = fault
        case .activation(let fault): activationFault = fault
        case .disk, .release, .clear:
            throw .unknown(
                words[0], subject: "start-up fault",
                allowed: FaultRule.verbs + AppFault.verbs + ["reachability", "activation"])
        }
    }

    /// Adds hazards, which are occasional faults.
    ///
    /// - Parameter text: The names of hazards in `DeviceHazard.ofSession`, separated by commas; may be empty.
    package mutating func addHazards(_ text: String) throws(WordError) {
        for word in text.split(separator: ",") {
            guard let hazard = DeviceHazard.ofSession.first(where: { $0.rawValue == word }) else {
                throw .unknown(String(word), subject: "hazard", allowed: DeviceHazard.ofSession.map(\.rawValue))
            }
            hazard.apply(to: &self)
        }
    }

    /// The faults in effect from the start, in the words that ``addFault(_:)`` accepts.
    package var faultTexts: [String] {
        var deeds = faults.map(FaultDeed.add) + appFaults.map(FaultDeed.addAtApp)
        if reachabilityFault != ReachabilityFault() { deeds.append(.reachability(reachabilityFault)) }
        if activationFault != ActivationFault() { deeds.append(.activation(activationFault)) }
        return deeds.map { $0.words.joined(separator: " ") }
    }
}
