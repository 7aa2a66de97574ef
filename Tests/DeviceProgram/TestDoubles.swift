import WatchConnectivity

// What clients' own tests do with the framework's classes and errors. It needs only to compile, and to be true.

/// An abstraction as clients make it to put a double in the session's place.
protocol ConnectivitySession: AnyObject {
    var delegate: WCSessionDelegate? { get set }
    var isReachable: Bool { get }
    var activationState: WCSessionActivationState { get }
    var receivedApplicationContext: [String: Any] { get }
    func activate()
    func updateApplicationContext(_ applicationContext: [String: Any]) throws
    func sendMessage(
        _ message: [String: Any], replyHandler: (([String: Any]) -> Void)?, errorHandler: ((Error) -> Void)?)
    func transferUserInfo(_ userInfo: [String: Any]) -> WCSessionUserInfoTransfer
    func transferFile(_ file: URL, metadata: [String: Any]?) -> WCSessionFileTransfer
}

extension WCSession: ConnectivitySession {}

/// A double by subclassing.
final class MockSession: WCSession {
    var sent: [[String: Any]] = []
    var context: [String: Any] = [:]

    override class func isSupported() -> Bool { true }
    override class var `default`: WCSession { MockSession() }
    override var isReachable: Bool { true }
    override var activationState: WCSessionActivationState { .activated }
    override var isPaired: Bool { true }
    override var isWatchAppInstalled: Bool { true }
    override var applicationContext: [String: Any] { context }
    override func activate() { delegate?.session(self, activationDidCompleteWith: .activated, error: nil) }
    override func updateApplicationContext(_ applicationContext: [String: Any]) throws {
        guard applicationContext.isEmpty == false else { throw WCError(.invalidParameter) }
        context = applicationContext
    }
    override func sendMessage(
        _ message: [String: Any], replyHandler: (([String: Any]) -> Void)?, errorHandler: ((Error) -> Void)? = nil
    ) {
        sent.append(message)
        replyHandler?(message)
    }
    override func transferUserInfo(_ userInfo: [String: Any] = [:]) -> WCSessionUserInfoTransfer { MockTransfer() }
}

final class MockTransfer: WCSessionUserInfoTransfer {
    override var isTransferring: Bool { true }
    override func cancel() {}
}

final class MockFile: WCSessionFile {
    override var fileURL: URL { URL(fileURLWithPath: "/tmp/f") }
    override var metadata: [String: Any]? { ["a": 1] }
}

/// True if all of it behaves as on Apple's platforms.
func checkDoubles() -> Bool {
    let mock = MockSession()
    let session: ConnectivitySession = mock
    var replies = 0
    session.sendMessage(["a": 1], replyHandler: { _ in replies += 1 }, errorHandler: nil)
    var byTransfer: [WCSessionUserInfoTransfer: Int] = [:]
    byTransfer[session.transferUserInfo([:])] = 1
    var byQueue: [DispatchQueue: Int] = [:]
    byQueue[.main] = 1
    var code: WCError.Code?
    do {
        try session.updateApplicationContext([:])
    } catch WCError.notReachable {
        return false
    } catch let error as WCError where error.code == .invalidParameter {
        code = error.code
    } catch {
        return false
    }
    let error: Error = WCError(.payloadTooLarge)
    return replies == 1 && mock.sent.count == 1 && byTransfer.count == 1 && byQueue.count == 1
        && code == .invalidParameter && (error as NSError).code == 7009 && (error as NSError).domain == WCErrorDomain
        && !error.localizedDescription.isEmpty && MockFile().metadata?.count == 1
        && WCSessionActivationState(rawValue: 2) == .activated && MockSession.isSupported()
}
