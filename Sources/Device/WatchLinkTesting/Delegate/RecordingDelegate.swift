public import Foundation
import Locking
import Processes
public import WatchConnectivity

/// A session delegate that notes each call with its arguments, and answers messages.
///
/// ```swift
/// let phoneApp = RecordingDelegate { message in ["total": 3] }
/// …
/// let message = try await phoneApp.next(.message)
/// #expect(message["score"] as? Int == 3)
/// ```
public final class RecordingDelegate: NSObject, WCSessionDelegate, Sendable {
    /// Returns the reply to a message; nil to give none.
    public typealias Answer = @Sendable (_ message: [String: Any]) -> [String: Any]?
    /// Returns the reply to a message with data; nil to give none.
    public typealias DataAnswer = @Sendable (_ messageData: Data) -> Data?

    private struct Note {
        let call: String
        let content: any Sendable
        /// True once ``next(_:within:fileID:line:)`` has returned it.
        var isTaken = false
    }

    private let answer: Answer
    private let answerData: DataAnswer
    private let notes = Mutex<[Note]>([])
    private let scratch = Mutex<ScratchDirectory?>(nil)
    private let signal = ChangeSignal()

    /// - Parameters:
    ///   - answer: Answers messages; by default, with an empty dictionary.
    ///   - data: Answers messages with data; by default, with empty data.
    public init(answer: @escaping Answer = { _ in [:] }, data: @escaping DataAnswer = { _ in Data() }) {
        self.answer = answer
        answerData = data
        super.init()
    }

    // MARK: - The notes

    /// Waits for the next call of a kind, and returns its arguments: the first one that was not returned before, even
    /// if it was made before this wait.
    ///
    /// - Parameters:
    ///   - call: The kind, such as `.message`.
    ///   - limit: The time-out, reached only if something is broken.
    ///   - fileID: The file of the wait.
    ///   - line: The line of the wait.
    /// - Throws: ``WaitTimeout`` with the calls that were made, and what the ledgers and logs of the pair tell.
    public func next<Content>(
        _ call: DelegateCall<Content>, within limit: Duration = .seconds(30), fileID: String = #fileID,
        line: Int = #line
    ) async throws -> Content {
        var content: Content?
        let holds = try await signal.holds(within: limit) {
            content = take(call)
            return content != nil
        }
        guard holds, let content else {
            throw WaitTimeout(
                "the delegate's next call: \(call.name)\(made)", limit, at: CallSite(fileID, line), signal.devices)
        }
        return content
    }

    /// Returns the arguments of all calls of a kind so far, in order.
    public func all<Content>(_ call: DelegateCall<Content>) -> [Content] {
        notes.withLock { $0 }.compactMap { $0.call == call.name ? $0.content as? Content : nil }
    }

    /// The kinds of all calls so far, in order.
    public var calls: [String] { notes.withLock { $0.map(\.call) } }

    /// Names the devices for the report of a failed wait.
    func follow(_ devices: @escaping @Sendable () -> [DeviceEvidence]) { signal.follow(devices) }

    private func take<Content>(_ call: DelegateCall<Content>) -> Content? {
        notes.withLock { notes in
            guard let place = notes.firstIndex(where: { $0.call == call.name && !$0.isTaken }) else { return nil }
            notes[place].isTaken = true
            return notes[place].content as? Content
        }
    }

    /// The calls so far, for an error.
    private var made: String {
        let calls = calls
        guard !calls.isEmpty else { return " (so far, none was made)" }
        let kinds = calls.reduce(into: [String]()) { if !$0.contains($1) { $0.append($1) } }
        return " (so far: \(kinds.map { kind in "\(calls.count { $0 == kind }) × \(kind)" }.joined(separator: ", ")))"
    }

    private func note<Content>(_ call: DelegateCall<Content>, _ content: Content) {
        notes.withLock { $0.append(Note(call: call.name, content: content)) }
        signal.signal()
    }

    // MARK: - The session's calls

    /// Notes the activation.
    public func session(
        _ session: WCSession, activationDidCompleteWith activationState: WCSessionActivationState, error: (any Error)?
    ) { note(.activation, SessionActivation(state: activationState, error: error)) }

    /// Notes that the session is inactive.
    public func sessionDidBecomeInactive(_ session: WCSession) { note(.inactive, SessionState(session)) }

    /// Notes the deactivation, and activates the session for the next watch.
    public func sessionDidDeactivate(_ session: WCSession) {
        note(.deactivation, SessionState(session))
        session.activate()
    }

    /// Notes the watch's state.
    public func sessionWatchStateDidChange(_ session: WCSession) { note(.watchState, SessionState(session)) }

    /// Notes the state of the phone's app.
    public func sessionCompanionAppInstalledDidChange(_ session: WCSession) {
        note(.companionAppInstalled, SessionState(session))
    }

    /// Notes the reachability.
    public func sessionReachabilityDidChange(_ session: WCSession) { note(.reachability, SessionState(session)) }

    /// Notes a message.
    public func session(_ session: WCSession, didReceiveMessage message: [String: Any]) {
        note(.message, ReceivedDictionary(message))
    }

    /// Notes a message, and answers it.
    public func session(
        _ session: WCSession, didReceiveMessage message: [String: Any], replyHandler: @escaping ([String: Any]) -> Void
    ) {
        note(.message, ReceivedDictionary(message, expectsReply: true))
        if let reply = answer(message) { replyHandler(reply) }
    }

    /// Notes a message with data.
    public func session(_ session: WCSession, didReceiveMessageData messageData: Data) {
        note(.messageData, messageData)
    }

    /// Notes a message with data, and answers it.
    public func session(
        _ session: WCSession, didReceiveMessageData messageData: Data, replyHandler: @escaping (Data) -> Void
    ) {
        note(.messageData, messageData)
        if let reply = answerData(messageData) { replyHandler(reply) }
    }

    /// Notes a context.
    public func session(_ session: WCSession, didReceiveApplicationContext applicationContext: [String: Any]) {
        note(.applicationContext, ReceivedDictionary(applicationContext))
    }

    /// Notes a user info.
    public func session(_ session: WCSession, didReceiveUserInfo userInfo: [String: Any]) {
        note(.userInfo, ReceivedDictionary(userInfo))
    }

    /// Notes the end of a user info transfer.
    public func session(
        _ session: WCSession, didFinish userInfoTransfer: WCSessionUserInfoTransfer, error: (any Error)?
    ) { note(.userInfoTransfer, FinishedUserInfo(userInfo: userInfoTransfer.userInfo, error: error)) }

    /// Keeps a file, and notes it.
    public func session(_ session: WCSession, didReceive file: WCSessionFile) {
        do {
            note(.file, ReceivedFile(fileURL: try keep(file.fileURL), metadata: file.metadata, error: nil))
        } catch {
            note(.file, ReceivedFile(fileURL: file.fileURL, metadata: file.metadata, error: error))
        }
    }

    /// Notes the end of a file transfer.
    public func session(_ session: WCSession, didFinish fileTransfer: WCSessionFileTransfer, error: (any Error)?) {
        let file = fileTransfer.file
        note(.fileTransfer, FinishedFile(fileURL: file.fileURL, metadata: file.metadata, error: error))
    }

    /// Moves a file to a directory of its own, which keeps its name.
    private func keep(_ file: URL) throws -> URL {
        let directory = try scratch.withLock { scratch in
            let kept = try scratch ?? ScratchDirectory()
            scratch = kept
            return kept.url.appending(path: UUID().uuidString)
        }
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        let place = directory.appending(path: file.lastPathComponent)
        try FileManager.default.moveItem(at: file, to: place)
        return place
    }
}
