import DeviceShell
import EventLog
public import Foundation
public import LinkProtocol
import LinkTransport
import Locking
import Processes
import SessionStorage
package import Storage

/// The application's end of the link to the counterpart device.
///
/// On Apple's devices there is one session, ``default``. Here a process may have more: one for each device that it plays
/// (``init(configuration:)``), and on a host one for each companion that is connected, which the delegate is given with what
/// that companion sends.
open class WCSession: NSObject {
    let core: SessionCore
    /// The one device that this session talks to; nil for whichever is there.
    public let counterpart: Device?

    /// The configuration of ``default``. Set it before the first use of that; else the environment decides
    /// (``DeviceConfiguration/init(environment:)``).
    public static var defaultConfiguration: DeviceConfiguration? {
        get { configured.withLock { $0.configuration } }
        set { configured.withLock { $0 = Configured(configuration: newValue) } }
    }

    private struct Configured: Sendable {
        var configuration: DeviceConfiguration?
        /// Why the environment's description of a device is of no use.
        var error: String?
    }

    private static let configured = Mutex(environment())
    // Proof of `nonisolated(unsafe)`: both of its stored properties are immutable and Sendable.
    private nonisolated(unsafe) static let shared = WCSession(
        core: configured.withLock { SessionCore($0.configuration, error: $0.error) }, counterpart: nil)

    private static func environment() -> Configured {
        // A device that a test has started ends with it.
        ParentProcess.follow()
        do {
            return Configured(
                configuration: try DeviceConfiguration(environment: ProcessInfo.processInfo.environment))
        } catch {
            return Configured(error: "\(error)")
        }
    }

    /// Whether this process is a device: whether it was configured as one.
    open class func isSupported() -> Bool { defaultConfiguration != nil }

    /// The session of this process.
    open class var `default`: WCSession { shared }

    /// A session that is no device's: for test doubles, which override what they need. Applications use ``default``.
    public override init() {
        core = SessionCore(nil)
        counterpart = nil
        super.init()
        core.attach(self)
    }

    /// A session for a device of its own, beside the default one.
    public convenience init(configuration: DeviceConfiguration) {
        self.init(core: SessionCore(configuration), counterpart: nil)
    }

    init(core: SessionCore, counterpart: Device?) {
        self.core = core
        self.counterpart = counterpart
        super.init()
        if counterpart == nil { core.attach(self) }
    }

    deinit { if counterpart == nil { core.shutDown("its session is gone") {} } }

    // MARK: - State

    /// Held weakly. Set it before ``activate()``.
    open weak var delegate: (any WCSessionDelegate)? {
        get { core.delegate }
        set { core.delegate = newValue }
    }

    /// Begins the activation; `session(_:activationDidCompleteWith:error:)` tells how it ended.
    open func activate() { core.activate() }

    /// Always valid.
    open var activationState: WCSessionActivationState {
        core.reading(.activationState) { core.activationState }
    }

    /// Whether a context, user info or file that was received has not yet been given to the delegate.
    open var hasContentPending: Bool {
        core.reading(.hasContentPending) { core.hasContentPending }
    }

    /// Whether a message would find the counterpart now. Valid while activated.
    ///
    /// On the watch: the phone is there, unlocked since its start, and this app is in the foreground or has a workout. On the
    /// phone: the same holds for the watch's app; the phone's own need not be in the foreground.
    open var isReachable: Bool {
        core.reading(.isReachable) { core.isReachable(counterpart?.identifier) }
    }

    /// Host only: whether there is a watch. Valid while activated; false on a companion.
    open var isPaired: Bool {
        core.reading(.isPaired) { core.watchView(counterpart?.identifier).isPaired }
    }

    /// Host only: whether the watch has the app. Valid while activated; false on a companion.
    open var isWatchAppInstalled: Bool {
        core.reading(.isWatchAppInstalled) { core.watchView(counterpart?.identifier).isAppInstalled }
    }

    /// Host only: whether the app's complication is on the watch's present face. False on a companion.
    open var isComplicationEnabled: Bool {
        core.reading(.isComplicationEnabled) { core.watchView(counterpart?.identifier).isComplicationEnabled }
    }

    /// Host only: 50 a day while the complication is enabled, else 0; at 0 a transfer for it counts as a plain one.
    open var remainingComplicationUserInfoTransfers: Int {
        core.reading(.remainingComplicationUserInfoTransfers) {
            core.remainingComplicationTransfers(counterpart?.identifier)
        }
    }

    /// Host only: a directory for what belongs to the present watch, while the session is activated or inactive; removed at the
    /// start after the watch was unpaired or lost the app.
    open var watchDirectoryURL: URL? {
        core.reading(.watchDirectoryURL) {
            core.activation == .notActivated ? nil : core.watchView(counterpart?.identifier).directory
        }
    }

    /// Companion only: whether the phone has the app. False on a host.
    open var isCompanionAppInstalled: Bool {
        core.reading(.isCompanionAppInstalled) { core.presence?.isPhoneAppInstalled == true }
    }

    /// Companion only: whether the phone was started anew and not yet unlocked. False on a host.
    open var iOSDeviceNeedsUnlockAfterRebootForReachability: Bool {
        core.reading(.iOSDeviceNeedsUnlockAfterRebootForReachability) { core.presence?.isPhoneLocked == true }
    }

    /// What happens to the device around the app: its life, the link, the watches, the ledger. Beyond Apple's API.
    public var simulator: DeviceSimulator { DeviceSimulator(core) }

    /// Calls a handler when a property changes, on the delegate's queue.
    open func observe<Value>(
        _ keyPath: KeyPath<WCSession, Value>, options: NSKeyValueObservingOptions = [],
        changeHandler: @escaping (WCSession, NSKeyValueObservedChange<Value>) -> Void
    ) -> NSKeyValueObservation {
        core.observers.add(keyPath, of: self, options: options, handler: changeHandler)
    }

    // MARK: - Messages

    /// Sends a dictionary of property-list values to a counterpart that is reachable. Exactly one handler is called, once.
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

    /// Sends data to a counterpart that is reachable. Exactly one handler is called, once.
    open func sendMessageData(
        _ data: Data, replyHandler: ((Data) -> Void)?, errorHandler: ((any Error) -> Void)? = nil
    ) {
        sendMessageData(data, identifier: .ordered(), replyHandler: replyHandler, errorHandler: errorHandler)
    }

    /// The same, under an identifier that stays the same over retries.
    package func sendMessageData(
        _ data: Data, identifier: UUID, replyHandler: ((Data) -> Void)?, errorHandler: ((any Error) -> Void)?
    ) {
        core.send(
            data, identifier: identifier, to: counterpart?.identifier,
            MessageHandlers(kind: .data, reply: replyHandler.map { .data($0) }, error: errorHandler))
    }

    // MARK: - Background transfers

    /// The last context that was given to ``updateApplicationContext(_:)``.
    open var applicationContext: [String: Any] {
        core.reading(.applicationContext) { core.sentContext(counterpart?.identifier) }
    }

    /// The latest context that came from the counterpart.
    open var receivedApplicationContext: [String: Any] {
        core.reading(.receivedApplicationContext) { core.receivedContext(counterpart?.identifier) }
    }

    /// Makes a dictionary known to the counterpart, in place of the last one, as soon as it is there. The same one again is
    /// not sent again. Durable when this returns.
    open func updateApplicationContext(_ applicationContext: [String: Any]) throws {
        try core.updateContext(applicationContext, for: counterpart?.identifier)
    }

    /// Queues a dictionary for the counterpart; it arrives once, in order, whatever ends meanwhile. Durable when this returns.
    @discardableResult
    open func transferUserInfo(_ userInfo: [String: Any] = [:]) -> WCSessionUserInfoTransfer {
        core.transferUserInfo(userInfo, isForComplication: false, to: counterpart?.identifier).transfer
    }

    /// Host only: queues a dictionary for the complication, before all others. Beyond the day's budget, without a
    /// complication, and on a companion, it counts as a plain one.
    @discardableResult
    open func transferCurrentComplicationUserInfo(_ userInfo: [String: Any] = [:]) -> WCSessionUserInfoTransfer {
        core.transferUserInfo(userInfo, isForComplication: true, to: counterpart?.identifier).transfer
    }

    /// User infos that have not arrived, failed or been cancelled, in their order.
    open var outstandingUserInfoTransfers: [WCSessionUserInfoTransfer] {
        core.reading(.outstandingUserInfoTransfers) { core.userInfoTransfers(counterpart?.identifier) }
    }

    /// Queues a file for the counterpart. It is read where it lies: it must stay there, unchanged, until the transfer is over.
    @discardableResult
    open func transferFile(_ file: URL, metadata: [String: Any]?) -> WCSessionFileTransfer {
        core.transferFile(file, metadata: metadata, to: counterpart?.identifier).transfer
    }

    /// Files that have not arrived, failed or been cancelled, in their order.
    open var outstandingFileTransfers: [WCSessionFileTransfer] {
        core.reading(.outstandingFileTransfers) { core.fileTransfers(counterpart?.identifier) }
    }

    // MARK: - For the services

    /// Closes the link after what is queued has been written; the session is of no use afterwards.
    package func shutDown(_ reason: String, completion: @escaping @Sendable () -> Void) {
        core.shutDown(reason, completion: completion)
    }

    /// Writes the replies that the body gives, on its thread, in one go.
    package func answerTogether(_ body: () -> Void) { core.together(body) }

    /// Calls back when the link's event loop has turned; never if there is none.
    package func pulse(_ completion: @escaping @Sendable () -> Void) { core.shell?.pulse(completion) }

    /// Transfers that wait to be sent.
    package var waitingTransfers: Int { core.shell?.pendingTransfers ?? 0 }

    /// Transfers that wait to be given to the delegate.
    package var waitingArrivals: Int { core.shell?.inbox.count ?? 0 }

    /// Why the session's own database cannot be used; nil if it can, or before the first activation.
    package var databaseTrouble: DatabaseError? { core.shell?.home.store.trouble }

    /// Messages in the delegate's hands, or on the way to it, that it has not replied to.
    package var openReplies: Int { core.openReplies.value }

    /// What keeps this watch from its phone; nil if nothing does.
    package var obstacle: Obstacle? { core.obstacle }

    /// The devices that are connected.
    package var connectedDevices: [Device] { core.connectedDevices }

    /// How the session is, told at once: a fault that slows its properties is meant for the application.
    package var presentState: (activation: WCSessionActivationState, isReachable: Bool) {
        (core.activationState, core.isReachable(counterpart?.identifier))
    }

    /// Messages that wait for their reply.
    package var outstandingMessages: Int { core.outstanding.value }

    func delegateMethodIsMissing() { core.delegateMethodIsMissing() }
}
