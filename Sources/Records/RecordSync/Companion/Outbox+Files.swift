import CrashPoints
import EventLog
import Files
public import Foundation
import LinkTransport
public import RecordStorage
import WatchConnectivity

/// The files of payloads. Each is sent as a file transfer before its payload, and the session's delegate must be a
/// ``WatchSessionDelegate``, which tells of its end.
extension Outbox {
    /// Accepts a validated payload of the application's type with its file. When this returns both are durable in the
    /// outbox, and the file may be removed.
    ///
    /// - Throws: ``PayloadError`` if the file is too large, if payloads of this type have none, or if this one describes
    ///   another file; otherwise as ``submit(_:)``.
    public func submit(_ payload: some RecordPayload, file: URL) throws -> AcceptOutcome {
        let content = try PayloadFile.content(of: file)
        let description = PayloadFile(name: file.lastPathComponent, content: content)
        let payload: any RecordPayload = try payload.attaching(description)
        try application.validate(payload)
        let outcomes = try submit([payload], contents: [description.digest: content])
        return outcomes[0]
    }

    /// Returns the SHA-256 of the payloads' files.
    ///
    /// - Throws: ``PayloadError`` for a file that was not given and is not in the outbox.
    func files(of payloads: [any RecordPayload], _ contents: [Data: Data]) throws -> [UUID: Data] {
        guard application.hasFiles else { return [:] }
        var files: [UUID: Data] = [:]
        for payload in payloads {
            guard let file = payload.attachedFile else { continue }
            guard contents[file.digest]?.count == file.bytes || store.files?.isSound(file.digest) == true else {
                throw PayloadError.invalid(
                    field: "\(application.kind.name) \(payload.identifier)",
                    reason: "describes the file \(file.name), which was not given: submit both together")
            }
            files[payload.identifier] = file.digest
        }
        return files
    }

    // MARK: - With the state

    /// Makes the files durable before their payloads are accepted.
    func keep(_ files: [UUID: Data], _ contents: [Data: Data]) throws(StoreError) {
        guard let place = store.files else { return }
        for digest in Set(files.values) {
            guard let content = contents[digest] else { continue }
            try place.keep(content, as: digest)
            application.crashPoints.fileAccepted.pass()
        }
    }

    /// Handles the ends of this application's files.
    func observeFiles() -> NotificationObserver {
        NotificationObserver(.fileTransferDidEnd) { [weak self] notification in
            guard let self, let end = notification.object as? FileTransferEnd, end.name == application.payloadName
            else { return }
            later { self.fileEnded(end) }
        }
    }

    /// Starts an attempt in an application with files.
    func begin(_ payload: UUID, _ attempt: Int, after predecessor: UUID?, _ archives: [UUID: Data]) {
        do throws(StoreError) {
            let file = try store.digest(ofFileOf: payload)
            take(
                line.began(
                    AttemptLine.Attempt(payload: payload, number: attempt, predecessor: predecessor, file: file)),
                archives)
        } catch {
            end(payload, .unread(error: "\(error)"))
        }
    }

    private func take(_ steps: [AttemptLine.Step], _ archives: [UUID: Data] = [:]) {
        for step in steps {
            switch step {
            case .send(let attempt):
                send(attempt.payload, attempt.number, after: attempt.predecessor, archives[attempt.payload])
            case .sendFile(let attempt, let digest): sendFile(digest, of: attempt.payload)
            case .end(let payload, let ending): end(payload, ending)
            }
        }
    }

    private func sendFile(_ digest: Data, of payload: UUID) {
        guard let files = store.files, files.isSound(digest) else {
            return take(line.fileEnded(digest, error: .fileLost))
        }
        // A transfer outlives its process: that of an earlier run goes on.
        guard !isUnderWay(digest) else { return }
        var metadata: [String: Any] = [Payload.digestKey: digest]
        metadata[Payload.nameKey] = application.payloadName
        _ = session.transferFile(URL(filePath: files.path(of: digest)), metadata: metadata)
        application.crashPoints.fileQueued.pass()
        logger.log(application.events.fileQueued, [.package(payload), .reason("SHA-256 \(digest.hexadecimal)")])
    }

    private func isUnderWay(_ digest: Data) -> Bool {
        session.outstandingFileTransfers.contains { transfer in
            transfer.file.metadata?[Payload.digestKey] as? Data == digest
                && transfer.file.metadata?[Payload.nameKey] as? String == application.payloadName
        }
    }

    private func fileEnded(_ end: FileTransferEnd) {
        guard line.fileUnderWay == end.digest, let payload = line.firstPayload else { return }
        if end.code == nil {
            application.crashPoints.fileDelivered.pass()
            logger.log(application.events.fileDelivered, [.package(payload)])
        }
        take(line.fileEnded(end.digest, error: end.code.map { .failed($0, reason: end.reason) }))
    }

    /// Sends the file again whose transfer ended without a word, as when somebody cancelled it.
    func resumeFile() {
        guard let digest = line.fileUnderWay, let payload = line.firstPayload else { return }
        sendFile(digest, of: payload)
    }

    func removeUnusedFiles() {
        do throws(StoreError) {
            try store.removeUnusedFiles()
        } catch {
            // The next settled payload tries again.
            logger.log(.fileSystemFailed, [.error(error)])
        }
    }
}
