/// Starts and ends the programs of a scenario's devices, and knows what they write.
package protocol ScenarioProcesses: AnyObject {
    /// True if the devices are in virtual time.
    var isVirtual: Bool { get }

    /// Starts a device's program.
    ///
    /// - Parameter build: 0 for the first; those that take its place have the next numbers.
    func start(_ device: ScenarioDevice, build: Int) throws

    /// Asks it to end, and waits.
    func stop(_ device: ScenarioDevice) throws

    /// Ends it with SIGKILL.
    func kill(_ device: ScenarioDevice) throws

    /// Does what virtual time alone can do to a device.
    func carryOut(_ deed: WorldDeed, on device: ScenarioDevice) throws

    /// How long a device may take until it is there, and until its log holds a text.
    var patience: Duration { get }

    /// Waits until it may be asked. False if it is not in time, or has ended.
    func awaitControl(of device: ScenarioDevice) -> Bool

    /// Waits until a line of its latest start holds a text, one of those so far, too. False if none does in time.
    func awaitLine(of device: ScenarioDevice, containing text: String, within limit: Duration) -> Bool

    /// The lines of all its starts.
    func lines(of device: ScenarioDevice) -> [String]

    /// How it ended by itself as a program should not; nil if it did not, or where only others know it.
    func failure(of device: ScenarioDevice) -> String?
}
