import EventLog
public import Foundation
public import LinkProtocol
import Locking

/// The application's end of the link to the counterpart device.
///
/// On Apple's devices there is one session, ``default``. Here a process may have more: one for each device that it plays
/// (``init(configuration:)``), and on a host one for each companion that is connected, which the delegate is given with what
/// that companion sends.
// Proof of `@unchecked Sendable`: both stored properties are immutable and Sendable; subclasses answer for their own.
open class WCSession: NSObject, @unchecked Sendable {
    let core: SessionCore
    /// The one device that this session talks to; nil for whichever is there.
    public let counterpart: Device?

    /// The configuration of ``default``. Set it before the first use of that; else the environment decides
    /// (``DeviceConfiguration/init(environment:)``).
    public static var defaultConfiguration: DeviceConfiguration? {
        get { configured.withLock { $0 } }
        set { configured.withLock { $0 = newValue } }
    }

    private static let configured = Mutex(DeviceConfiguration(environment: ProcessInfo.processInfo.environment))
    private static let shared = WCSession(core: SessionCore(defaultConfiguration), counterpart: nil)

    /// Whether this process is a device: whether it was configured as one.
    open class func isSupported() -> Bool { defaultConfiguration != nil }

    /// The session of this process.
    open class var `default`: WCSession { shared }

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

    // MARK: - State

    /// Held weakly. Set it before ``activate()``.
    open weak var delegate: (any WCSessionDelegate)? {
        get { core.delegate }
        set { core.delegate = newValue }
    }

    /// Begins the activation; `session(_:activationDidCompleteWith:error:)` tells how it ended.
    open func activate() { core.activate() }

    open var activationState: WCSessionActivationState { core.activationState }

    /// Whether anything that was received has not yet been given to the delegate.
    open var hasContentPending: Bool { core.hasContentPending }

    /// Whether a message would find the counterpart now. Valid while activated.
    open var isReachable: Bool { core.isReachable(counterpart?.identifier) }

    /// Calls a handler when a property changes, on the delegate's queue.
    open func observe<Value>(
        _ keyPath: KeyPath<WCSession, Value>, options: NSKeyValueObservingOptions = [],
        changeHandler: @escaping (WCSession, NSKeyValueObservedChange<Value>) -> Void
    ) -> NSKeyValueObservation {
        let observation = core.observers.add(keyPath, options: options, handler: changeHandler)
        if options.contains(.initial) {
            changeHandler(
                self,
                NSKeyValueObservedChange(
                    newValue: options.contains(.new) ? self[keyPath: keyPath] : nil, oldValue: nil))
        }
        return observation
    }

    // MARK: - Messages

    /// Sends a dictionary of property-list values to a counterpart that is reachable. Exactly one handler is called, once.
    open func sendMessage(
        _ message: [String: Any], replyHandler: (([String: Any]) -> Void)?, errorHandler: ((any Error) -> Void)? = nil
    ) {
        let payload: Data
        do {
            payload = try MessagePayload.data(message)
        } catch {
            return core.fail(UUID(), error, MessageHandlers(reply: nil, error: errorHandler))
        }
        let reply = replyHandler.map { handler in
            MessageHandlers.Reply.dictionary(handler)
        }
        core.send(
            .sendMessage, payload, identifier: UUID(), to: counterpart?.identifier,
            MessageHandlers(reply: reply, error: errorHandler))
    }

    /// Sends data to a counterpart that is reachable. Exactly one handler is called, once.
    open func sendMessageData(
        _ data: Data, replyHandler: ((Data) -> Void)?, errorHandler: ((any Error) -> Void)? = nil
    ) {
        sendMessageData(data, identifier: UUID(), replyHandler: replyHandler, errorHandler: errorHandler)
    }

    /// The same, under an identifier that stays the same over retries.
    package func sendMessageData(
        _ data: Data, identifier: UUID, replyHandler: ((Data) -> Void)?, errorHandler: ((any Error) -> Void)?
    ) {
        core.send(
            .sendMessageData, data, identifier: identifier, to: counterpart?.identifier,
            MessageHandlers(reply: replyHandler.map { .data($0) }, error: errorHandler))
    }

    // MARK: - For the services

    /// Closes the link after what is queued has been written; the session is of no use afterwards.
    package func shutDown(_ reason: String, completion: @escaping @Sendable () -> Void) {
        core.shutDown(reason, completion: completion)
    }

    /// The devices that are connected.
    package var connectedDevices: [Device] { core.connectedDevices }

    /// Messages that wait for their reply.
    package var outstandingMessages: Int { core.outstandingMessages }

    func delegateMethodIsMissing() { core.delegateMethodIsMissing() }
}
