import Configuration
import DeviceShell
public import EventLog
public import Foundation
public import LinkProtocol
public import LinkTransport

/// What makes a process a device: a phone (host) or a watch (companion).
public struct DeviceConfiguration: Sendable {
    public var device: Device
    /// Where the host listens and the companion connects. At most 107 bytes long.
    public var socketPath: String
    /// Where the device keeps its transfers, contexts, received files and ledger. One running process at a time may use it.
    public var stateDirectory: String
    /// Below which databases meet the faults of a disk, where an application keeps some of its own beside the device's; nil for
    /// ``stateDirectory``.
    public var diskDirectory: String?
    /// Where the command line reaches the device, if its program is linked with the product `DeviceControl`; nil for nowhere. At most
    /// 107 bytes long.
    public var controlSocketPath: String?
    /// Host only: who may connect.
    public var access: AccessRule = .owner
    /// Host only: which watches are let in, and how many are served at a time.
    public var companions = CompanionPolicy()
    /// Companion only: what a host asks for whose pairing wants a code, when this watch comes for the first time.
    public var pairingCode: String?
    public var times = LinkTimes()
    public var payloads = PayloadLimits()
    /// Companion only: the delays between tries to connect. 50 ms to 5 s: a host that restarts is found at once, one that
    /// stays away costs nothing.
    public var reconnect = Backoff(initial: .milliseconds(50), maximum: .seconds(5))
    /// The delays after which transfers that the counterpart could not keep are sent again.
    public var transferRetry = Backoff.delivery
    /// Messages that the ledger keeps; 0 keeps none. 50,000: about ten megabytes.
    public var ledgerCapacity = 50_000
    /// How the app is when the process starts.
    public var application = ApplicationState.foreground
    /// What the link is like; perfect, unless trouble is wanted.
    public var condition = LinkCondition()
    /// Decides what the link's condition and the faults leave to chance: the same seed gives the same trouble. In a
    /// world of virtual time the world decides instead.
    public var faultSeed: UInt64 = 1
    /// Faults that hold from the start.
    public var faults: [FaultRule] = []
    public var activationFault = ActivationFault()
    /// Faults that the application sees, from the start.
    public var appFaults: [AppFault] = []
    public var reachabilityFault = ReachabilityFault()
    /// Host: the person switches to another watch now and then.
    package var switchesWatches = false
    public var logger = Logger.silent
    /// How long a received file that nobody touched is kept behind the delegate's return, to see who comes for it. 100 ms: what was handed
    /// to another queue takes milliseconds, and nobody must come to rely on it.
    package var lateFileUse = Self.standardLateFileUse
    package static let standardLateFileUse = DispatchTimeInterval.milliseconds(100)
    /// After how long the log tells of a delegate method that does not return, each time.
    package var callPatience = CallWatch.patience

    /// - Parameter stateDirectory: Left out, a directory beside the socket that is named after the device.
    public init(device: Device, socketPath: String, stateDirectory: String? = nil) {
        self.device = device
        self.socketPath = socketPath
        self.stateDirectory =
            stateDirectory ?? "\(socketPath).\(device.role.rawValue)-\(device.identifier.uuidString.prefix(8))"
    }

    /// A device that keeps its identifier in its state directory, and makes one at the first start.
    ///
    /// - Parameter stateDirectory: Left out, `<socketPath>.host` or `<socketPath>.companion`.
    /// - Throws: If the directory cannot be made or holds a damaged identifier.
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
