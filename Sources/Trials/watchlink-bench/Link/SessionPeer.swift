import Foundation
import LinkProtocol
import Locking
import WatchConnectivity

/// The session as applications use it: `sendMessageData` with a reply handler, and the delegate.
final class SessionPeer: NSObject, WCSessionDelegate, Sendable {
    private let reply: Data
    private let onReachable: @Sendable (WCSession) -> Void

    private init(reply: Data, onReachable: @escaping @Sendable (WCSession) -> Void = { _ in }) {
        self.reply = reply
        self.onReachable = onReachable
    }

    func session(_ session: WCSession, activationDidCompleteWith state: WCSessionActivationState, error: (any Error)?) {
        if session.isReachable { onReachable(session) }
    }

    func sessionReachabilityDidChange(_ session: WCSession) { if session.isReachable { onReachable(session) } }

    func session(_ session: WCSession, didReceiveMessageData data: Data, replyHandler: @escaping (Data) -> Void) {
        replyHandler(reply)
    }

    func session(_ session: WCSession, didReceive file: WCSessionFile) {}

    // MARK: - Both sides

    static func configuration(_ role: DeviceRole, _ options: PeerOptions) throws -> DeviceConfiguration {
        let socket = options.socket
        var configuration = try DeviceConfiguration(
            role: role, socketPath: socket,
            stateDirectory: "\(socket).\(role.rawValue)-\(UUID().uuidString.prefix(8))")
        configuration.controlSocketPath = nil
        configuration.companions.serving = .all
        if !options.keepsLedger { configuration.ledgerCapacity = 0 }
        return configuration
    }

    static func serve(_ options: PeerOptions) throws -> Never {
        let session = WCSession(configuration: try configuration(.host, options))
        let delegate = SessionPeer(reply: try BenchQuiz.acknowledgement())
        session.delegate = delegate
        session.activate()
        while !FileManager.default.fileExists(atPath: options.socket) { usleep(2_000) }
        Ready.say()
        withExtendedLifetime((session, delegate)) { dispatchMain() }
    }

    /// Keeps the given number of messages in flight. Everything happens on the delegate queue.
    static func drive(_ options: PeerOptions, payloads: @escaping @Sendable () throws -> Data) throws -> Outcome {
        let session = WCSession(configuration: try configuration(.companion, options))
        let run = SessionRun(options, payloads: payloads)
        let delegate = SessionPeer(reply: Data()) { session in run.start(session) }
        session.delegate = delegate
        session.activate()
        return withExtendedLifetime((session, delegate)) { run.wait() }
    }
}
