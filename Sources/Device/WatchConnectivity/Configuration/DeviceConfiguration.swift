import Configuration
package import DeviceShell
public import EventLog
public import Foundation
public import LinkProtocol
public import LinkTransport

/// The configuration that makes a process a device: a phone (host) or a watch (companion).
public struct DeviceConfiguration: Sendable {
    /// The identity of the device.
    public var device: Device
    /// The path at which the host listens and the companion connects. At most 107 bytes.
    public var socketPath: String
    /// The directory of the device's transfers, contexts, received files and ledger. Only one process at a time may use
    /// it.
    public var stateDirectory: String
    /// The directory in which databases are affected by disk faults, if an application keeps its own beside the
    /// device's; nil for ``stateDirectory``.
    public var diskDirectory: String?
    /// The path of the socket for the command line, if the program is linked with the product `DeviceControl`; nil for
    /// none. At most 107 bytes.
    public var controlSocketPath: String?
    /// Host only: the users that may connect.
    public var access: AccessRule = .owner
    /// Host only: the watches that are accepted, and the number served at a time.
    public var companions = CompanionPolicy()
    /// Companion only: the code for the first connection to a host that requires one.
    public var pairingCode: String?
    /// The time-outs of the link.
    public var times = LinkTimes()
    /// The maximum sizes of payloads.
    public var payloads = PayloadLimits()
    /// Companion only: the delays between connection attempts. 50 ms to 5 s: a restarted host is found immediately, an
    /// absent one costs nothing.
    public var reconnect = Backoff(initial: .milliseconds(50), maximum: .seconds(5))
    /// The delays before transfers that the counterpart could not store are sent again.
    public var transferRetry = Backoff.delivery
    /// The number of messages that the ledger keeps; 0 disables it. 50,000: about ten megabytes.
    public var ledgerCapacity = 50_000
    /// The state of the app when the process starts.
    public var application = ApplicationState.foreground
    /// The condition of the link; perfect by default.
    public var condition = LinkCondition()
    /// The seed for the random choices of the link's condition and the faults: the same seed gives the same faults. In
    /// virtual time, the world decides instead.
    public var faultSeed: UInt64 = 1
    /// The fault rules for packages in effect from the start.
    public var faults: [FaultRule] = []
    /// The fault of the first activations.
    public var activationFault = ActivationFault()
    /// The faults that the app sees from the start.
    public var appFaults: [AppFault] = []
    /// The fault of this device's view of reachability from the start.
    public var reachabilityFault = ReachabilityFault()
    /// Host only: true if the person switches to another watch now and then.
    package var switchesWatches = false
    /// The hints that are failures: each is also a line on standard error that begins with FINDING.
    package var failingHints: Set<Hint> = []
    /// The log of the session; silent by default.
    public var logger = Logger.silent
    /// The recording that starts with the session; nil for none.
    package var recording: RecordingOrder?
    /// The place at which the device's events are told; shared by all copies of the configuration.
    package let tap = DeviceTap()
    /// The latest events of the log, for the command line; nil if nothing keeps them.
    package var recent: RecentEvents?
    /// The time for which an unused received file is kept after the delegate's return, to detect late use. 100 ms:
    /// handing it to another queue takes milliseconds, and clients must not rely on the delay.
    package var lateFileUse = Self.standardLateFileUse
    package static let standardLateFileUse = DispatchTimeInterval.milliseconds(100)
    /// The time-outs after which an overdue delegate method is logged.
    package var callPatience = CallWatch.patience

    /// Creates a configuration.
    ///
    /// - Parameters:
    ///   - device: The device's role, identifier and name.
    ///   - socketPath: The socket on which a host listens and to which a companion connects; at most 107 bytes.
    ///   - stateDirectory: By default, a directory beside the socket that is named after the device.
    public init(device: Device, socketPath: String, stateDirectory: String? = nil) {
        self.device = device
        self.socketPath = socketPath
        self.stateDirectory =
            stateDirectory ?? "\(socketPath).\(device.role.rawValue)-\(device.identifier.uuidString.prefix(8))"
    }

    /// Creates a configuration whose identifier is stored in the state directory, and created at the first start.
    ///
    /// - Parameters:
    ///   - role: Phone or watch.
    ///   - socketPath: The socket on which a host listens and to which a companion connects; at most 107 bytes.
    ///   - stateDirectory: By default, `<socketPath>.host` or `<socketPath>.companion`.
    ///   - identifier: By default, the stored one.
    ///   - name: By default, “Phone” or “Watch”.
    /// - Throws: An error if the directory cannot be created or contains a damaged identifier.
    public init(
        role: DeviceRole, socketPath: String, stateDirectory: String? = nil, identifier: UUID? = nil,
        name: String? = nil
    ) throws {
        let directory = stateDirectory ?? "\(socketPath).\(role.rawValue)"
        try PrivateDirectory.create(directory)
        let device = Device(
            identifier: try identifier ?? DeviceIdentity.identifier(at: directory + "/device"), role: role,
            name: name ?? (role == .host ? "Phone" : "Watch"))
        self.init(device: device, socketPath: socketPath, stateDirectory: directory)
        controlSocketPath = DeviceDirectory(directory).controlSocket
    }
}
