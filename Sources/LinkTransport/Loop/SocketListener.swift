package import EventLog
package import Foundation
import Glibc
import LinkProtocol

/// Listens at a socket file, checks who comes, and hands connections on.
// Proof of `@unchecked Sendable`: all mutable state is used in turns of the loop only, one at a time, which `EventLoop` asserts.
package final class SocketListener: EventHandler, @unchecked Sendable {
    /// How long accepting rests after the system has no more descriptors: a closed connection may have given one back.
    private static let restAfterFailure: Duration = .seconds(1)

    private let loop: EventLoop
    private let file: SocketFile
    private let access: AccessRule
    private let logger: Logger
    private let farewell: Data
    private var onAccept: (consuming Descriptor) -> Void
    private var token: EventLoop.Token = 0
    private var isStopped = false

    /// - Parameters:
    ///   - farewell: What somebody who may not connect is told before the connection is closed.
    ///   - onAccept: Called on the loop with each connection that may be served.
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

    /// Begins to accept. On the loop.
    package func start() throws(SystemError) {
        token = try loop.watch(file.descriptor.number, EventLoop.readable, self)
    }

    /// Accepts no more and removes the socket file. On the loop.
    package func stop() {
        guard !isStopped else { return }
        isStopped = true
        setAccepting(false)
        loop.forget(token)
        file.remove()
        onAccept = { _ in }
    }

    package func loopEnded() { onAccept = { _ in } }

    package func ready(_ events: EventLoop.Interest) {
        do {
            while !isStopped, let descriptor = try UnixSocket.accept(file.descriptor) { admit(descriptor) }
        } catch {
            logger.log(.acceptFailed, [.path(file.path), .error(error), .delay(Self.restAfterFailure.inSeconds)])
            setAccepting(false)
            _ = loop.schedule(at: .now + Self.restAfterFailure) { [weak self] in
                guard let self, !isStopped else { return }
                setAccepting(true)
            }
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

    /// A few bytes fit into a new connection's buffer; whoever does not take them has lost nothing but the reason.
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
            logger.log(.acceptFailed, [.path(file.path), .error(error)])
        }
    }
}
