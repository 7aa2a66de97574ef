import Files
import Foundation
import LinkProtocol
import RecordStorage

/// A message that should be a payload of an application, with its decoded content.
///
/// An object, as is its content: each is handed on several times, and a value of so many parts is copied part by part.
final class ArrivedPayload: Sendable {
    /// A valid payload with its record.
    final class Content: Sendable {
        let record: Record
        let payload: any RecordPayload

        init(record: Record, payload: any RecordPayload) { (self.record, self.payload) = (record, payload) }
    }

    /// The message under the payload's identifier, which the companion uses for the message as well.
    let package: MessagePackage
    let reply: PendingReply?
    let time: MonotonicTime
    /// The digest of the archive; nil if there is none.
    let digest: Data?
    /// The payload that the device sent before it.
    let predecessor: UUID?
    let content: Result<Content, PayloadError>

    /// - Parameters:
    ///   - content: The content of the message's payload.
    ///   - keepsFiles: True if the store keeps the files of payloads.
    init(
        _ message: MessagePackage, _ content: Result<PayloadContent, PayloadError>, reply: PendingReply?,
        time: MonotonicTime, of application: RecordApplication, keepsFiles: Bool
    ) {
        self.reply = reply
        self.time = time
        var found: PayloadContent?
        var identifier = message.identifier
        do throws(PayloadError) {
            let content = try content.get()
            found = content
            let payload = try application.decoded(from: content.archive)
            identifier = payload.identifier
            try application.validate(payload)
            if payload.attachedFile != nil, !keepsFiles {
                throw PayloadError.invalid(
                    field: "file",
                    reason: "this host's database keeps no files; use a database.file there instead of a database.url")
            }
            let record = application.record(
                payload, device: message.origin ?? .unknownPeer, archive: content.archive)
            self.content = .success(Content(record: record, payload: payload))
        } catch {
            self.content = .failure(error)
        }
        digest = found.map { ContentDigest.of($0.archive) }
        predecessor = found?.predecessor
        package = MessagePackage(
            identifier: identifier, command: message.command, status: .received, wantsReply: message.wantsReply,
            timestamp: message.timestamp, origin: message.origin)
    }

    /// The SHA-256 of its file; nil for none, and for a payload that cannot be accepted.
    var file: Data? { if case .success(let content) = content { content.record.file } else { nil } }

    /// Returns the part of it that the rules need.
    ///
    /// - Parameter missing: The files that are not in the store.
    func arrival(missing: Set<Data>) -> ReceiverEngine.Arrival {
        var refusal: PayloadError?
        if case .failure(let error) = content { refusal = error }
        return ReceiverEngine.Arrival(
            package.identifier, from: package.origin ?? .unknownPeer, after: predecessor, refusal: refusal,
            lacksFile: file.map(missing.contains) ?? false)
    }
}
