import DeviceShell
import Foundation
import LinkProtocol
import Locking
import WatchConnectivity

/// The session as applications use it: `sendMessageData` and `sendMessage` with a reply handler, and the delegate.
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

    func session(
        _ session: WCSession, didReceiveMessage message: [String: Any], replyHandler: @escaping ([String: Any]) -> Void
    ) { replyHandler(BenchDictionary.acknowledgement) }

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

    /// - Parameter reply: The reply to data.
    static func serve(_ options: PeerOptions, reply: Data) throws -> Never {
        let session = try session(.host, options)
        let delegate = SessionPeer(reply: reply)
        session.delegate = delegate
        session.activate()
        while !FileManager.default.fileExists(atPath: options.socket) { usleep(2_000) }
        Ready.say()
        withExtendedLifetime((session, delegate)) { dispatchMain() }
    }

    /// Keeps the given number of messages in flight. Everything happens on the delegate queue.
    static func drive(_ options: PeerOptions, payloads: @escaping @Sendable () throws -> Data) throws -> Outcome {
        try drive(options, send: sending(payloads))
    }

    private static func sending(_ payloads: @escaping @Sendable () throws -> Data) -> SessionRun.Send {
        { session, onReply, onError in
            session.sendMessageData(try payloads(), replyHandler: { _ in onReply() }, errorHandler: { _ in onError() })
        }
    }

    /// The same with a dictionary in each message.
    static func driveDictionaries(_ options: PeerOptions) throws -> Outcome {
        try drive(options) { session, onReply, onError in
            session.sendMessage(
                BenchDictionary.quiz, replyHandler: { _ in onReply() }, errorHandler: { _ in onError() })
        }
    }

    /// The same with data, told apart by whether they were recorded.
    static func driveRecorded(
        _ options: PeerOptions, payloads: @escaping @Sendable () throws -> Data
    ) throws -> RecordedOutcome {
        try run(options, send: sending(payloads)).recordedOutcome
    }

    private static func drive(_ options: PeerOptions, send: @escaping SessionRun.Send) throws -> Outcome {
        try run(options, send: send).outcome
    }

    /// Returns a run that has ended.
    private static func run(_ options: PeerOptions, send: @escaping SessionRun.Send) throws -> SessionRun {
        let session = try session(.companion, options)
        let run = SessionRun(options, sendMessage: send)
        let delegate = SessionPeer(reply: Data()) { session in run.start(session) }
        session.delegate = delegate
        session.activate()
        withExtendedLifetime((session, delegate)) { run.wait() }
        return run
    }

    private static func session(_ role: DeviceRole, _ options: PeerOptions) throws -> WCSession {
        let configuration = try configuration(role, options)
        if let path = options.recordings {
            // It goes on by itself until the process ends.
            _ = try AlternatingRecording(
                configuration.tap, path: "\(path).\(role.rawValue)-\(getpid())", side: role.rawValue)
        }
        return WCSession(configuration: configuration)
    }
}
