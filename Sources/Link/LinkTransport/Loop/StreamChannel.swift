package import Files
import Foundation
import Glibc
import LinkProtocol

/// A connected stream on the loop: reads when data is available, queues output, and writes once per turn.
// Proof of `@unchecked Sendable`: all mutable state is confined to turns of the loop, as `EventLoop` asserts.
package final class StreamChannel: EventHandler, @unchecked Sendable {
    package enum CloseReason: Equatable, Sendable, CustomStringConvertible {
        case byPeer
        case byThisSide(String)
        case failed(SystemError)

        package var description: String {
            switch self {
            case .byPeer: "closed by the peer"
            case .byThisSide(let reason): reason
            case .failed(let error): "\(error)"
            }
        }
    }

    /// The most reads of one channel per turn, so that a busy peer cannot starve the others.
    private static let readsPerTurn = 4

    private let loop: EventLoop
    private let descriptor: Descriptor
    private var token: EventLoop.Token = 0
    private var interest = EventLoop.readable | EventLoop.peerEnded
    private var output: [UInt8] = []
    private var written = 0
    private var isFlushScheduled = false
    /// The reason for closing as soon as everything is written; nil to stay open.
    private var closing: CloseReason?
    private var isClosed = false
    private var isPeerGone = false
    private let maximumQueuedBytes: Int
    /// The most bytes per read.
    package var readBytes = Int.max

    private var onBytes: (UnsafeRawBufferPointer) -> Void = { _ in }
    private var onEnd: (() -> Void)?
    private var onClose: (CloseReason) -> Void = { _ in }

    package init(loop: EventLoop, descriptor: consuming Descriptor, maximumQueuedBytes: Int) {
        self.loop = loop
        self.descriptor = descriptor
        self.maximumQueuedBytes = maximumQueuedBytes
    }

    /// Starts reading.
    ///
    /// - Parameters:
    ///   - onBytes: Called with received bytes, which are valid only during the call.
    ///   - onEnd: Called when the peer has shut down its writing side but may still read; if nil, the channel closes.
    ///   - onClose: Called once, at the end. All callbacks are released then, so they may retain the channel's owner.
    /// - Throws: `SystemError` if the descriptor cannot be watched.
    package func open(
        onBytes: @escaping (UnsafeRawBufferPointer) -> Void, onEnd: (() -> Void)? = nil,
        onClose: @escaping (CloseReason) -> Void
    ) throws(SystemError) {
        self.onBytes = onBytes
        self.onEnd = onEnd
        self.onClose = onClose
        do throws(SystemError) {
            token = try loop.watch(descriptor.number, interest, self)
        } catch {
            letGo()
            throw error
        }
    }

    /// Releases the callbacks, which may retain this channel.
    private func letGo() {
        onBytes = { _ in }
        onEnd = nil
        onClose = { _ in }
    }

    package func loopEnded() { close(.byThisSide("its loop ended")) }

    /// Queues bytes, which are written when the current input has been handled. Returns false if the queue is full: the
    /// peer does not read.
    package func write(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard !isClosed, !isPeerGone, closing == nil else { return true }
        guard output.count - written + bytes.count <= maximumQueuedBytes else { return false }
        if output.isEmpty { output = loop.takeBuffer() }
        output.append(contentsOf: bytes)
        scheduleFlush()
        return true
    }

    /// Stops or resumes reading: unread bytes stay in the kernel, which eventually blocks the peer.
    package func setReading(_ isReading: Bool) {
        setInterest(isReading ? interest | EventLoop.readable : interest & ~EventLoop.readable)
    }

    /// Closes after all queued bytes have been written.
    package func closeAfterWriting(_ reason: String) {
        guard !isClosed, closing == nil else { return }
        closing = .byThisSide(reason)
        scheduleFlush()
    }

    package func close(_ reason: CloseReason) {
        guard !isClosed else { return }
        isClosed = true
        loop.forget(token)
        // Ends the connection for the peer now; the descriptor is closed with this object.
        shutdown(descriptor.number, Int32(SHUT_RDWR))
        onClose(reason)
        letGo()
    }

    // MARK: - Turns

    package func ready(_ events: EventLoop.Interest) {
        if events & EventLoop.writable != 0 { flush() }
        if events & EventLoop.readable != 0 {
            readAvailable(isEnding: events & (EventLoop.hangUp | EventLoop.peerEnded) != 0)
        } else if events & EventLoop.hangUp != 0, !isClosed {
            close(.byPeer)
        }
    }

    /// Reads available bytes.
    ///
    /// - Parameter isEnding: True if the end of the stream follows the available bytes.
    private func readAvailable(isEnding: Bool) {
        for _ in 0..<Self.readsPerTurn {
            guard !isClosed, interest & EventLoop.readable != 0 else { return }
            let buffer = loop.readBuffer
            let room = min(readBytes, buffer.count)
            let count = retryingInterrupts { read(descriptor.number, buffer.baseAddress, room) }
            if count > 0 {
                onBytes(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
                // A short read has emptied the socket: another one would return EAGAIN.
                if count < room, !isEnding { return }
            } else if count == 0 {
                guard let onEnd else { return close(closing ?? .byPeer) }
                // A full hang-up is still reported, whatever the interest.
                setInterest(interest & ~(EventLoop.readable | EventLoop.peerEnded))
                return onEnd()
            } else {
                if errno != EAGAIN {
                    close(errno == ECONNRESET ? .byPeer : .failed(SystemError("read from", on: "a peer")))
                }
                return
            }
        }
        // The rest is read in another turn.
        tellInterest()
    }

    private func scheduleFlush() {
        guard !isFlushScheduled else { return }
        isFlushScheduled = true
        loop.afterHandling { [self] in
            isFlushScheduled = false
            flush()
        }
    }

    private func flush() {
        while !isClosed, written < output.count {
            let count = output.withUnsafeBytes { bytes in
                retryingInterrupts {
                    send(
                        descriptor.number, bytes.baseAddress.map { $0 + written }, bytes.count - written,
                        Int32(MSG_NOSIGNAL))
                }
            }
            if count > 0 {
                written += count
            } else if errno == EAGAIN {
                return setInterest(interest | EventLoop.writable)
            } else if errno == EPIPE || errno == ECONNRESET {
                // The peer is gone, but its earlier data is still unread; reading its end closes the channel.
                isPeerGone = true
                break
            } else {
                return close(.failed(SystemError("write to", on: "a peer")))
            }
        }
        guard !isClosed else { return }
        loop.giveBack(&output)
        written = 0
        setInterest(interest & ~EventLoop.writable)
        if let closing { close(closing) }
    }

    private func setInterest(_ wanted: EventLoop.Interest) {
        guard wanted != interest else { return }
        interest = wanted
        tellInterest()
    }

    /// Sets the interest, which makes the kernel report present readiness again.
    private func tellInterest() {
        guard !isClosed else { return }
        do {
            try loop.change(token, descriptor.number, interest)
        } catch {
            close(.failed(error))
        }
    }
}
