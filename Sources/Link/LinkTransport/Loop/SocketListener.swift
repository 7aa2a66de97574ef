package import EventLog
package import Files
package import Foundation
import Glibc
import LinkProtocol

/// Listens at a socket file, checks the credentials of peers, and hands connections on. A socket file that is removed
/// or replaced is recreated, as clients could not find this process otherwise.
// Proof of `@unchecked Sendable`: all mutable state is confined to turns of the loop, as `EventLoop` asserts.
package final class SocketListener: EventHandler, @unchecked Sendable {
    /// The pause in accepting after the system ran out of descriptors, as a closed connection may free one, and the
    /// delay before another attempt to recreate the socket file.
    private static let restAfterFailure: Duration = .seconds(1)

    private let loop: EventLoop
    private var file: SocketFile
    private var watch: DirectoryWatch?
    private let access: AccessRule
    private let logger: Logger
    private let farewell: Data
    private var onAccept: (consuming Descriptor) -> Void
    private var token: EventLoop.Token = 0
    private var isStopped = false
    /// The reason why connections are not accepted at present; nil if they are. Logged once.
    private var trouble: String?
    /// The reason why the socket file could not be recreated. Logged once.
    private var loss: String?
    private var isRenewalScheduled = false

    /// Claims a socket file.
    ///
    /// - Parameters:
    ///   - farewell: The data sent to a refused peer before its connection is closed.
    ///   - onAccept: Called on the loop with each admitted connection.
    package init(
        loop: EventLoop, path: String, access: AccessRule, logger: Logger, farewell: Data = Data(),
        onAccept: @escaping (consuming Descriptor) -> Void
    ) throws(SocketFile.ClaimError) {
        self.loop = loop
        self.access = access
        self.logger = logger
        self.farewell = farewell
        self.onAccept = onAccept
        file = try SocketFile(claiming: path, mode: access.fileMode)
        if file.replacedStale { logger.log(.staleSocketReplaced, [.path(path)]) }
    }

    package var path: String { file.path }

    /// Starts to accept. On the loop.
    package func start() throws(SystemError) {
        token = try loop.watch(file.descriptor.number, EventLoop.readable, self)
        watchDirectory()
        // A service manager's socket may have lost its file before this process started.
        directoryChanged()
    }

    /// Stops accepting and removes the socket file. On the loop.
    package func stop() {
        guard !isStopped else { return }
        isStopped = true
        setAccepting(false)
        loop.forget(token)
        watch?.stop()
        file.remove()
        onAccept = { _ in }
    }

    package func loopEnded() { onAccept = { _ in } }

    package func ready(_ events: EventLoop.Interest) {
        do {
            while !isStopped, let descriptor = try UnixSocket.accept(file.descriptor) { admit(descriptor) }
            guard trouble != nil else { return }
            trouble = nil
            logger.log(.acceptResumed, [.path(file.path)])
        } catch {
            rest(after: error)
            setAccepting(false)
        }
    }

    private func rest(after error: any Error) {
        if trouble != "\(error)" {
            trouble = "\(error)"
            logger.log(.acceptFailed, [.path(file.path), .error(error), .delay(Self.restAfterFailure.inSeconds)])
        }
        afterRest { $0.setAccepting(true) }
    }

    private func afterRest(_ body: @escaping (SocketListener) -> Void) {
        _ = loop.schedule(at: .now + Self.restAfterFailure) { [weak self] in
            guard let self, !isStopped else { return }
            body(self)
        }
    }

    // MARK: - The file

    private func watchDirectory() {
        watch?.stop()
        watch = nil
        let directory = URL(filePath: file.path).deletingLastPathComponent().path(percentEncoded: false)
        do throws(SystemError) {
            watch = try DirectoryWatch(loop: loop, directory: directory) { [weak self] in self?.directoryChanged() }
        } catch {
            logger.log(.socketUnwatched, [.path(file.path), .error(error)])
        }
    }

    private func scheduleRenewal() {
        guard !isRenewalScheduled else { return }
        isRenewalScheduled = true
        afterRest { listener in
            listener.isRenewalScheduled = false
            listener.directoryChanged()
        }
    }

    private func directoryChanged() {
        guard !isStopped, !file.isInPlace else { return }
        do {
            let renewed = try file.renewed(mode: access.fileMode)
            let renewedToken = try loop.watch(renewed.descriptor.number, EventLoop.readable, self)
            loop.forget(token)
            file = renewed
            token = renewedToken
            loss = nil
            // The directory may also have been replaced.
            watchDirectory()
            logger.log(.socketRenewed, [.path(file.path)])
        } catch {
            if loss != "\(error)" {
                loss = "\(error)"
                logger.log(.socketLost, [.path(file.path), .error(error), .delay(Self.restAfterFailure.inSeconds)])
            }
            scheduleRenewal()
        }
    }

    private func admit(_ descriptor: consuming Descriptor) {
        do {
            let peer = try PeerCredentials(of: descriptor)
            guard access.allows(peer) else {
                logger.log(
                    .peerRefused,
                    [.path(file.path), .user(peer.user), .process(peer.process), .reason("user not allowed")])
                return tell(farewell, to: descriptor)
            }
            onAccept(descriptor)
        } catch {
            logger.log(.peerRefused, [.path(file.path), .error(error)])
        }
    }

    /// Sends a few bytes, which fit into a new connection's buffer; if they do not, the peer misses only the reason.
    private func tell(_ words: Data, to descriptor: borrowing Descriptor) {
        guard !words.isEmpty else { return }
        let number = descriptor.number
        let count = words.withUnsafeBytes {
            send(number, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
        }
        if count < words.count {
            logger.log(.peerRefused, [.path(file.path), .error(SystemError("write to", on: "a peer"))])
        }
    }

    private func setAccepting(_ isAccepting: Bool) {
        do {
            try loop.change(token, file.descriptor.number, isAccepting ? EventLoop.readable : 0)
        } catch {
            // A listener that cannot accept again yet must not stay deaf; one that cannot rest is called again at once.
            guard isAccepting else { return logger.log(.acceptFailed, [.path(file.path), .error(error)]) }
            rest(after: error)
        }
    }
}
