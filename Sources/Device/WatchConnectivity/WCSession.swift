import DeviceShell
import EventLog
public import Foundation
public import KeyValueObservation
public import LinkProtocol
import LinkTransport
import Locking
import Processes
import SessionStorage

/// The application's side of the link to the counterpart device.
///
/// On Apple's devices there is one session, ``default``. Here a process may have more: one for each device that it
/// simulates (``init(configuration:)``), and on a host one for each connected companion, which the delegate receives
/// with that companion's content.
open class WCSession: NSObject, KeyValueObservable {
    let core: SessionCore
    /// The device that this session is limited to; nil for any device.
    public let counterpart: Device?

    /// The configuration of ``default``. Set it before the first use of that session; otherwise the environment is used
    /// (``DeviceConfiguration/init(environment:)``).
    public static var defaultConfiguration: DeviceConfiguration? {
        get { configured.withLock { $0.configuration } }
        set { configured.withLock { $0 = Configured(configuration: newValue) } }
    }

    private struct Configured: Sendable {
        var configuration: DeviceConfiguration?
        /// The error in the environment's description of a device, if any.
        var error: String?
    }

    private static let configured = Mutex(environment())
    // Proof of `nonisolated(unsafe)`: both of its stored properties are immutable and Sendable.
    private nonisolated(unsafe) static let shared: WCSession = {
        let given = configured.withLock { $0 }
        let core = SessionCore(given.configuration, error: given.error)
        if given.configuration != nil {
            OrderlyEnd.prepare {
                AppDefaults.write()
                core.endRecording()
            }
        }
        return WCSession(core: core, counterpart: nil)
    }()

    private static func environment() -> Configured {
        // A device that a test has started ends with the test.
        ParentProcess.follow()
        do {
            return Configured(
                configuration: try DeviceConfiguration(environment: ProcessInfo.processInfo.environment)
                    ?? LinkedTestDevice.configuration())
        } catch {
            return Configured(error: "\(error)")
        }
    }

    /// Returns `true` if this process is configured as a device, or linked with `WatchLinkTesting`.
    open class func isSupported() -> Bool { defaultConfiguration != nil }

    /// The session of this process.
    open class var `default`: WCSession { shared }

    /// Creates a session without a device, as a base for test doubles. Applications use ``default``.
    public override init() {
        core = SessionCore(nil)
        counterpart = nil
        super.init()
        core.attach(self)
    }

    /// Creates a session for a separate device, beside the default one.
    public convenience init(configuration: DeviceConfiguration) {
        self.init(core: SessionCore(configuration), counterpart: nil)
    }

    init(core: SessionCore, counterpart: Device?) {
        self.core = core
        self.counterpart = counterpart
        super.init()
        if counterpart == nil { core.attach(self) }
    }

    deinit { if counterpart == nil { core.shutDown("its session was released") {} } }

    // MARK: - State

    /// The delegate, held weakly. Set it before ``activate()``.
    open weak var delegate: (any WCSessionDelegate)? {
        get { core.delegate }
        set { core.delegate = newValue }
    }

    /// Activates the session asynchronously; `session(_:activationDidCompleteWith:error:)` reports the result.
    open func activate() { core.activate() }

    /// The state of the activation. Valid at any time.
    open var activationState: WCSessionActivationState {
        core.reading(.activationState) { core.activationState }
    }

    /// True while a received context, user info or file waits for the delegate.
    open var hasContentPending: Bool {
        core.reading(.hasContentPending) { core.hasContentPending }
    }

    /// True if a message would reach the counterpart now. Valid while activated.
    ///
    /// On the watch: the phone is connected and was unlocked since its start, and this app is in the foreground or has
    /// a workout. On the phone: the same holds for the watch's app; the phone's app need not be in the foreground.
    open var isReachable: Bool {
        core.reading(.isReachable) { core.isReachable(counterpart?.identifier) }
    }

    /// Host only: true if a watch is paired. Valid while activated; false on a companion.
    open var isPaired: Bool {
        core.reading(.isPaired) { core.watchView(counterpart?.identifier).isPaired }
    }

    /// Host only: true if the app is installed on the watch. Valid while activated; false on a companion.
    open var isWatchAppInstalled: Bool {
        core.reading(.isWatchAppInstalled) { core.watchView(counterpart?.identifier).isAppInstalled }
    }

    /// Host only: true if the app's complication is on the current watch face. False on a companion.
    open var isComplicationEnabled: Bool {
        core.reading(.isComplicationEnabled) { core.watchView(counterpart?.identifier).isComplicationEnabled }
    }

    /// Host only: the remaining complication transfers, 50 a day while the complication is enabled, else 0; at 0,
    /// complication transfers become plain ones.
    open var remainingComplicationUserInfoTransfers: Int {
        core.reading(.remainingComplicationUserInfoTransfers) {
            core.remainingComplicationTransfers(counterpart?.identifier)
        }
    }

    /// Host only: a directory for data of the current watch, while the session is activated or inactive; removed at the
    /// next start after the watch was unpaired or lost the app.
    open var watchDirectoryURL: URL? {
        core.reading(.watchDirectoryURL) {
            core.activation == .notActivated ? nil : core.watchView(counterpart?.identifier).directory
        }
    }

    /// Companion only: true if the app is installed on the phone. False on a host.
    open var isCompanionAppInstalled: Bool {
        core.reading(.isCompanionAppInstalled) { core.presence?.isPhoneAppInstalled == true }
    }

    /// Companion only: true if the phone was restarted and not yet unlocked. False on a host.
    open var iOSDeviceNeedsUnlockAfterRebootForReachability: Bool {
        core.reading(.iOSDeviceNeedsUnlockAfterRebootForReachability) { core.presence?.isPhoneLocked == true }
    }

    /// The control over the device and the environment of the app: its life cycle, link, watches and ledger. Beyond
    /// Apple's API.
    public var simulator: DeviceSimulator { DeviceSimulator(core) }

    /// Calls a handler on the delegate's queue when a property changes.
    open func observe<Value>(
        _ keyPath: KeyPath<WCSession, Value>, options: NSKeyValueObservingOptions = [],
        changeHandler: @escaping (WCSession, NSKeyValueObservedChange<Value>) -> Void
    ) -> NSKeyValueObservation {
        core.observers.add(keyPath, of: self, options: options, handler: changeHandler)
    }

    // MARK: - Messages

    /// Sends a dictionary of property-list values to a reachable counterpart. Exactly one handler is called, once.
    open func sendMessage(
        _ message: [String: Any], replyHandler: (([String: Any]) -> Void)?, errorHandler: ((any Error) -> Void)? = nil
    ) {
        let payload: Data
        do {
            payload = try core.payload(message)
        } catch {
            return core.fail(UUID(), error, MessageHandlers(kind: .message, reply: nil, error: errorHandler))
        }
        core.send(
            payload, identifier: .ordered(), to: counterpart?.identifier,
            MessageHandlers(kind: .message, reply: replyHandler.map { .dictionary($0) }, error: errorHandler))
    }

    /// Sends data to a reachable counterpart. Exactly one handler is called, once.
    open func sendMessageData(
        _ data: Data, replyHandler: ((Data) -> Void)?, errorHandler: ((any Error) -> Void)? = nil
    ) {
        sendMessageData(data, identifier: .ordered(), replyHandler: replyHandler, errorHandler: errorHandler)
    }

    /// Sends data with an identifier that stays the same across retries.
    package func sendMessageData(
        _ data: Data, identifier: UUID, replyHandler: ((Data) -> Void)?, errorHandler: ((any Error) -> Void)?
    ) {
        core.send(
            data, identifier: identifier, to: counterpart?.identifier,
            MessageHandlers(kind: .data, reply: replyHandler.map { .data($0) }, error: errorHandler))
    }

    // MARK: - Background transfers

    /// The last context that was passed to ``updateApplicationContext(_:)``.
    open var applicationContext: [String: Any] {
        core.reading(.applicationContext) { core.sentContext(counterpart?.identifier) }
    }

    /// The latest context received from the counterpart.
    open var receivedApplicationContext: [String: Any] {
        core.reading(.receivedApplicationContext) { core.receivedContext(counterpart?.identifier) }
    }

    /// Replaces the context for the counterpart, and sends it as soon as possible. A context equal to the last one is
    /// not sent. Durable when this returns.
    ///
    /// - Throws: ``WCError`` if the context is invalid or cannot be queued.
    open func updateApplicationContext(_ applicationContext: [String: Any]) throws {
        try core.updateContext(applicationContext, for: counterpart?.identifier)
    }

    /// Queues a dictionary for the counterpart. It arrives once and in order, even if either process ends in the
    /// meantime. Durable when this returns.
    @discardableResult
    open func transferUserInfo(_ userInfo: [String: Any] = [:]) -> WCSessionUserInfoTransfer {
        core.transferUserInfo(userInfo, isForComplication: false, to: counterpart?.identifier).transfer
    }

    /// Host only: queues a dictionary for the complication, before all others. Beyond the day's budget, without a
    /// complication, and on a companion, it becomes a plain transfer.
    @discardableResult
    open func transferCurrentComplicationUserInfo(_ userInfo: [String: Any] = [:]) -> WCSessionUserInfoTransfer {
        core.transferUserInfo(userInfo, isForComplication: true, to: counterpart?.identifier).transfer
    }

    /// The user info transfers that have not arrived, failed or been cancelled, in order.
    open var outstandingUserInfoTransfers: [WCSessionUserInfoTransfer] {
        core.reading(.outstandingUserInfoTransfers) { core.userInfoTransfers(counterpart?.identifier) }
    }

    /// Queues a file for the counterpart. It is read in place and must stay there unchanged until the transfer ends.
    @discardableResult
    open func transferFile(_ file: URL, metadata: [String: Any]?) -> WCSessionFileTransfer {
        core.transferFile(file, metadata: metadata, to: counterpart?.identifier).transfer
    }

    /// The file transfers that have not arrived, failed or been cancelled, in order.
    open var outstandingFileTransfers: [WCSessionFileTransfer] {
        core.reading(.outstandingFileTransfers) { core.fileTransfers(counterpart?.identifier) }
    }

    // MARK: - For the services

    /// Closes the link after queued packages are written; the session is unusable afterwards.
    package func shutDown(_ reason: String, completion: @escaping @Sendable () -> Void) {
        core.shutDown(reason, completion: completion)
    }

    /// Runs `body`, and writes the replies that it gives on its thread as one batch.
    package func answerBatched(_ body: () -> Void) { core.batched(body) }

    /// Calls back from the link's event loop; never without one.
    package func pulse(_ completion: @escaping @Sendable () -> Void) { core.shell?.pulse(completion) }

    /// The number of outgoing transfers that have not ended.
    package var waitingTransfers: Int { core.shell?.pendingTransfers ?? 0 }

    /// The number of messages queued for the delegate or delivered to it, but not answered yet.
    package var openReplies: Int { core.openReplies.value }

    /// The obstacle between this watch and its phone, if any.
    package var obstacle: Obstacle? { core.obstacle }

    /// The connected devices.
    package var connectedDevices: [Device] { core.connectedDevices }

    /// The number of messages that wait for a reply.
    package var outstandingMessages: Int { core.outstanding.value }

    func delegateMethodIsMissing() { core.delegateMethodIsMissing() }
}
