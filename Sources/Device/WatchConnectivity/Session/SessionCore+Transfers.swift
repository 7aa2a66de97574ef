import DeviceEngine
import DeviceShell
import EventLog
import Files
import Foundation
import LinkProtocol
import LinkTransport
import Locking
import SessionStorage

/// Background transfers: from the application to the store, and from the inbox to the delegate.
extension SessionCore {
    // MARK: - Targets

    /// Returns the watch that a host's session sends to.
    ///
    /// - Throws: ``WCError`` if there is no watch, or it lacks the app.
    func companion(_ device: UUID?) throws(WCError) -> UUID {
        guard let presence else { throw WCError(.sessionNotSupported) }
        guard let identifier = device ?? presence.active?.identifier else {
            guard presence.presumesCompanion else { throw WCError(.deviceNotPaired) }
            return .unknownPeer
        }
        guard let companion = presence.companions[identifier], companion.isPaired else {
            throw WCError(.deviceNotPaired)
        }
        guard companion.isAppInstalled else { throw WCError(.watchAppNotInstalled) }
        return identifier
    }

    /// Returns the counterpart for a transfer; throws if the session cannot send one.
    private func transferTarget(_ device: UUID?) throws(WCError) -> (DeviceShell, UUID) {
        try checkActivation()
        guard let shell else { throw WCError(.sessionNotActivated) }
        if role == .host { return (shell, try companion(device)) }
        guard presence?.isPhoneAppInstalled == true else { throw WCError(.companionAppNotInstalled) }
        return (shell, .unknownPeer)
    }

    /// Returns the counterpart whose transfers and contexts a session shows.
    func shownPeer(_ device: UUID?) -> UUID {
        role == .companion ? .unknownPeer : device ?? presence?.active?.identifier ?? .unknownPeer
    }

    /// Returns the properties of a watch that a session shows.
    func watchView(_ device: UUID?) -> WatchView {
        // Before its first activation a session knows no watch.
        guard let presence, let configuration, shell != nil else { return WatchView() }
        let companion = device.map { presence.companions[$0] } ?? presence.active
        return WatchView(presence, companion, DeviceDirectory(configuration.stateDirectory))
    }

    // MARK: - Application context

    func updateContext(_ context: [String: Any], for device: UUID?) throws(WCError) {
        let identifier = UUID.ordered()
        do throws(WCError) {
            let data = try payload(context)
            noteCall(.context, identifier, .content(.propertyList(data)), of: device)
            try checkSize(data, .context, identifier)
            let (shell, peer) = try transferTarget(device)
            if let failure = failure(of: .context, identifier) { throw failure }
            guard objects.sentContext(peer) != data else {
                return logger.log(
                    .contextUnchanged,
                    [.bytes(data.count), .reason("equal to the last context, and not sent again")])
            }
            try keep(
                OutgoingTransfer(
                    identifier: identifier, peer: peer, kind: .context, payload: data, queuedAt: Date()), nil, shell)
        } catch {
            logger.log(.transferFailed, [.package(identifier), .kind("context"), .reason(error.localizedDescription)])
            note(identifier, .outgoing, .context, .failed, cause: error.localizedDescription)
            tap.note(DeviceEvent("refused", .other, identifier, .error(error.errorCode)))
            throw error
        }
    }

    func sentContext(_ device: UUID?) -> [String: Any] {
        dictionary(objects.sentContext(shownPeer(device)))
    }

    func receivedContext(_ device: UUID?) -> [String: Any] {
        dictionary(objects.receivedContext(shownPeer(device)))
    }

    private func dictionary(_ payload: Data?) -> [String: Any] {
        guard let payload else { return [:] }
        do {
            return try MessagePayload.dictionary(payload)
        } catch {
            logger.log(.transferFailed, [.kind("context"), .error(error)])
            return [:]
        }
    }

    // MARK: - User info

    /// - Returns: The transfer, which may have ended already, and the reason if it was refused.
    func transferUserInfo(
        _ userInfo: [String: Any], isForComplication: Bool, to device: UUID?
    ) -> (transfer: WCSessionUserInfoTransfer, refusal: WCError?) {
        let identifier = UUID.ordered()
        var content: Data?
        do throws(WCError) {
            let data = try payload(userInfo)
            content = data
            noteCall(
                isForComplication ? .complication : .userInfo, identifier,
                .content(.propertyList(data)), of: device)
            try checkSize(data, .userInfo, identifier)
            let (shell, peer) = try transferTarget(device)
            let isUrgent = isForComplication && useComplicationBudget(of: peer)
            let object = WCSessionUserInfoTransfer(
                identifier: identifier, userInfo: userInfo, payload: data, isCurrentComplicationInfo: isUrgent
            ) { [weak self] in self?.cancel($0) }
            try keep(
                OutgoingTransfer(
                    identifier: identifier, peer: peer, kind: isUrgent ? .complication : .userInfo, payload: data,
                    queuedAt: Date()), .userInfo(object), shell)
            return (object, nil)
        } catch {
            let object = WCSessionUserInfoTransfer(
                identifier: identifier, userInfo: userInfo, payload: content, isCurrentComplicationInfo: false,
                isTransferring: false
            ) { _ in }
            failed(.userInfo(object), .userInfo, error)
            return (object, error)
        }
    }

    func userInfoTransfers(_ device: UUID?) -> [WCSessionUserInfoTransfer] {
        objects.userInfos(shownPeer(device))
    }

    // MARK: - The complication

    func remainingComplicationTransfers(_ device: UUID?) -> Int {
        let peer = shownPeer(device)
        return state.withLock { state in
            guard state.presence?.companions[peer]?.hasComplication == true else { return 0 }
            return (state.budgets[peer] ?? ComplicationBudget()).remaining(on: Self.today)
        }
    }

    /// Claims one complication transfer from the day's budget; returns `false` if the transfer becomes a plain one.
    private func useComplicationBudget(of peer: UUID) -> Bool {
        let companion = state.withLock { state -> Companion? in
            guard let companion = state.presence?.companions[peer], companion.hasComplication else { return nil }
            var budget = state.budgets[peer] ?? ComplicationBudget()
            guard budget.use(on: Self.today) else { return nil }
            state.budgets[peer] = budget
            return companion
        }
        guard let companion else { return false }
        renewedComplicationBudget()
        keep(companion)
        return true
    }

    /// The days since 1970 in the phone's time zone.
    private static var today: Int {
        let now = Date()
        let local = now.timeIntervalSince1970 + Double(TimeZone.current.secondsFromGMT(for: now))
        return Int((local / (24 * 60 * 60)).rounded(.down))
    }

    // MARK: - Files

    /// - Returns: The transfer, which may have ended already, and the reason if it was refused.
    func transferFile(
        _ url: URL, metadata: [String: Any]?, to device: UUID?
    ) -> (transfer: WCSessionFileTransfer, refusal: WCError?) {
        let identifier = UUID.ordered()
        let file = WCSessionFile(fileURL: url, metadata: metadata)
        do throws(WCError) {
            var content: Data?
            if let metadata {
                let data = try payload(metadata)
                try checkSize(data, .file, identifier)
                content = data
            }
            let (shell, peer) = try transferTarget(device)
            let stamp = try Self.stamp(url)
            noteCall(
                .file, identifier,
                .file(content.map { .propertyList($0) }, bytes: Int(clamping: stamp.size)), of: device)
            let object = WCSessionFileTransfer(identifier: identifier, file: file, size: stamp.size) {
                [weak self] in self?.cancel($0)
            }
            try keep(
                OutgoingTransfer(
                    identifier: identifier, peer: peer, kind: .file, payload: content, file: stamp, queuedAt: Date()),
                .file(object), shell)
            return (object, nil)
        } catch {
            let object = WCSessionFileTransfer(identifier: identifier, file: file, size: 0, isTransferring: false) {
                _ in
            }
            failed(.file(object), .file, error)
            return (object, error)
        }
    }

    func fileTransfers(_ device: UUID?) -> [WCSessionFileTransfer] {
        objects.files(shownPeer(device))
    }

    private static func stamp(_ url: URL) throws(WCError) -> FileStamp {
        guard url.isFileURL else { throw WCError(.invalidParameter, reason: "\(url) is not a file URL") }
        let path = url.standardizedFileURL.path(percentEncoded: false)
        do {
            let attributes = try FileSource.attributes(of: path)
            return FileStamp(
                path: path, size: attributes.size, modified: attributes.modified, inode: attributes.inode)
        } catch {
            throw WCError(.fileAccessDenied, reason: "\(error)")
        }
    }

    func fileProgressed(_ transfer: UUID, to offset: Int64) {
        guard let object = objects.object(transfer) else { return }
        queue.enqueue { [self] in calling(.observer) { object.advance(to: offset) } }
    }

    // MARK: - Outcomes

    private func keep(
        _ transfer: OutgoingTransfer, _ object: TransferObject?, _ shell: DeviceShell
    ) throws(WCError) {
        guard objects.count < SessionStore.outgoingCapacity else {
            let reason = "\(SessionStore.outgoingCapacity) transfers are already waiting"
            throw WCError(.insufficientSpace, reason: reason)
        }
        let attempt: AppFault.Attempt? =
            switch transfer.kind {
            case .userInfo, .complication: .userInfo
            case .file: .file
            case .context, .message, .data: nil
            }
        let demanded = attempt.flatMap { failure(of: $0, transfer.identifier) }
        do {
            try shell.queue(transfer, failing: demanded.map { $0.ending(of: transfer.identifier) }) { kept in
                if let object { objects.add(object, peer: kept.peer, position: kept.position) }
                if kept.kind == .context { objects.setSentContext(kept.payload, kept.peer) }
                logger.log(
                    .transferQueued,
                    [
                        .package(kept.identifier), .kind(kept.kind.rawValue), .bytes(kept.payload?.count ?? 0),
                    ])
            }
        } catch {
            throw WCError(.genericError, reason: "the transfer could not be stored: \(error)")
        }
    }

    /// Fails a transfer that was never queued.
    private func failed(_ object: TransferObject, _ kind: TransferKind, _ error: WCError) {
        logger.log(
            .transferFailed,
            [.package(object.identifier), .kind(kind.rawValue), .reason(error.localizedDescription)])
        note(object.identifier, .outgoing, kind, .failed, cause: error.localizedDescription)
        tellEnd(of: object, error) { _ in }
    }

    private func noteCall(
        _ kind: TransferKind, _ transfer: UUID, _ details: @autoclosure () -> DeviceEvent.Details, of device: UUID?
    ) {
        tap.note(DeviceEvent(kind.call, .call, transfer, details(), of: device))
    }

    /// Cancels a transfer that has not ended.
    func cancel(_ transfer: UUID) {
        tap.note(DeviceEvent("cancel", .other, transfer))
        guard let kind = shell?.cancel(transfer) else { return }
        objects.remove(transfer)
        logger.log(.transferCancelled, [.package(transfer), .kind(kind.rawValue)])
    }

    func tellEnd(
        of transfer: UUID, _ ending: OutgoingTransfer.Ending, _ done: @escaping @Sendable (Bool) -> Void
    ) {
        // Outcomes of contexts, and of transfers without an object, are not reported.
        guard let object = objects.end(transfer) else { return done(true) }
        let code = ending.code.map { WCError.Code(rawValue: $0) ?? .genericError }
        tellEnd(of: object, code.map { WCError($0, reason: ending.reason) }, done)
    }

    /// Reports a transfer's outcome to the delegate. `done` is called with `true` if a delegate was notified.
    private func tellEnd(of object: TransferObject, _ error: WCError?, _ done: @escaping @Sendable (Bool) -> Void) {
        let discard: @Sendable () -> Void = { done(false) }
        queue.enqueue(discard: discard) { [self] in
            // Without a delegate, the outcome is kept.
            guard let session = ownerSession, let delegate else { return done(false) }
            let isHeard = calling(.didFinish, object.identifier, with: .error(error?.errorCode)) {
                switch object {
                case .userInfo(let transfer): delegate.session(session, didFinish: transfer, error: error)
                case .file(let transfer):
                    if error == nil { transfer.fileProgress.advance(to: transfer.fileProgress.totalUnitCount) }
                    delegate.session(session, didFinish: transfer, error: error)
                }
            }
            if !isHeard { hints.give(.outcomeUnheard, [.package(object.identifier)]) }
            done(true)
        }
    }

    // MARK: - Receiving

    /// Delivers a transfer to the delegate. `done` is called when the delegate's method has returned.
    func deliver(_ transfer: ReceivedTransfer, _ done: @escaping @Sendable (DeviceEngine.Delivery) -> Void) {
        let discard: @Sendable () -> Void = { done(.discarded) }
        queue.enqueue(discard: discard) { [self] in
            let session = role == .host ? session(for: transfer.peer) : ownerSession
            // Without a delegate, the transfer waits.
            guard let session, let delegate else { return done(.discarded) }
            shell?.inbox.began()
            do throws(WCError) {
                var isImplemented = false
                for transfer in deliveries(of: transfer) {
                    isImplemented = try calling(
                        DelegateMethod(transfer.kind), transfer.identifier, of: session.counterpart?.identifier,
                        with: Self.details(transfer)
                    ) { () throws(WCError) in try call(delegate, transfer, session) }
                }
                guard isImplemented else {
                    logger.log(
                        .delegateMethodMissing, [.package(transfer.identifier), .kind(transfer.kind.rawValue)])
                    return done(.failed("the delegate does not implement the method"))
                }
                done(.delivered)
            } catch {
                done(.failed(error.reason))
            }
        }
    }

    private func call(
        _ delegate: any WCSessionDelegate, _ transfer: ReceivedTransfer, _ session: WCSession
    ) throws(WCError) {
        let payload = transfer.payload
        switch transfer.kind {
        case .context:
            delegate.session(
                session, didReceiveApplicationContext: try MessagePayload.dictionary(payload ?? Data()))
        case .userInfo, .complication:
            delegate.session(session, didReceiveUserInfo: try MessagePayload.dictionary(payload ?? Data()))
        case .file:
            // A crash after the delegate's return leaves the record of a file that the delegate has moved.
            guard let path = transfer.path, FileManager.default.fileExists(atPath: path) else {
                return logger.log(.transferRepeated, [.package(transfer.identifier), .kind(transfer.kind.rawValue)])
            }
            let file = received(path, transfer.identifier)
            var metadata: [String: Any]?
            do {
                if let payload { metadata = try MessagePayload.dictionary(payload) }
            } catch {
                // No delegate will ever get it.
                remove(file, transfer.identifier)
                throw error
            }
            delegate.session(
                session, didReceive: WCSessionFile(fileURL: URL(filePath: path), metadata: metadata))
            removeReceived(file, transfer.identifier)
        case .message, .data: break
        }
    }

    /// Returns a transfer's content for a recording, and the size of its file.
    private static func details(_ transfer: ReceivedTransfer) -> DeviceEvent.Details {
        let content: DeviceEvent.Content? = transfer.payload.map { .propertyList($0) }
        var status = stat()
        // A file that is gone is not given to the app.
        guard let path = transfer.path, stat(path, &status) == 0 else { return .content(content) }
        return .file(content, bytes: Int(status.st_size))
    }

    private func received(_ path: String, _ identifier: UUID) -> ReceivedFile {
        do {
            return try ReceivedFile(path: path, watch: shell?.home.fileWatch)
        } catch {
            // It is still delivered, but its use cannot be detected.
            logger.log(.fileSystemFailed, [.package(identifier), .error(error)])
            return ReceivedFile(path: path)
        }
    }

    /// Removes a received file after the delegate's method has returned.
    private func removeReceived(_ file: ReceivedFile, _ identifier: UUID) {
        switch file.use {
        case .moved, .opened, .unknown: remove(file, identifier)
        case .none:
            // Delegates that leave it unused often pass its URL to another queue: late use is reported as well.
            file.whenUsed(within: configuration?.lateFileUse ?? DeviceConfiguration.standardLateFileUse) {
                [self] isUsed in
                hints.give(isUsed ? .fileOpenedLate : .fileNotMoved, [.package(identifier)])
                remove(file, identifier)
            }
        }
    }

    private func remove(_ file: ReceivedFile, _ identifier: UUID) {
        do {
            try file.remove()
        } catch {
            logger.log(.fileSystemFailed, [.package(identifier), .error(error)])
        }
    }
}
