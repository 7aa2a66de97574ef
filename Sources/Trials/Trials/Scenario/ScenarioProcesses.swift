/// Starts and ends the programs of a scenario's devices, and returns their output.
package protocol ScenarioProcesses: AnyObject {
    /// True if the devices are in virtual time.
    var isVirtual: Bool { get }

    /// Starts a device's program.
    ///
    /// - Parameter build: 0 for the first build; the builds that replace it have the next numbers.
    func start(_ device: ScenarioDevice, build: Int) throws

    /// Requests its end, and waits for it.
    func stop(_ device: ScenarioDevice) throws

    /// Requests the end of several devices at the same time, so that none is told of the others' end, and gives them time to
    /// complete their recordings.
    func finish(_ devices: [ScenarioDevice]) throws

    /// Ends it with SIGKILL.
    func kill(_ device: ScenarioDevice) throws

    /// Carries out an action that is possible only in virtual time.
    func carryOut(_ deed: WorldDeed, on device: ScenarioDevice) throws

    /// The time a device may take to become available, or to log a text.
    var patience: Duration { get }

    /// Waits until its control socket is available. Returns false after a time-out, or if it has ended.
    func awaitControl(of device: ScenarioDevice) -> Bool

    /// Waits until a line of its latest start, past lines included, contains a text. Returns false after a time-out.
    func awaitLine(of device: ScenarioDevice, containing text: String, within limit: Duration) -> Bool

    /// Returns the output lines of all its starts.
    func lines(of device: ScenarioDevice) -> [String]

    /// Returns the reason for an abnormal end; nil if there was none, or if only others know.
    func failure(of device: ScenarioDevice) -> String?
}
