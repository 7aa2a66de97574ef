package import Files
import Foundation
import Glibc
import LinkProtocol

/// One connected stream on the loop: reads when there is something, keeps what cannot be written yet, writes once a turn.
// Proof of `@unchecked Sendable`: used in turns of the loop only, one at a time, which `EventLoop` asserts.
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

    /// Reads of one channel in one turn, so that a busy peer cannot starve the others.
    private static let readsPerTurn = 4

    private let loop: EventLoop
    private let descriptor: Descriptor
    private var token: EventLoop.Token = 0
    private var interest = EventLoop.readable | EventLoop.peerEnded
    private var output: [UInt8] = []
    private var written = 0
    private var isFlushScheduled = false
    /// Close as soon as everything is written.
    private var closing: CloseReason?
    private var isClosed = false
    private var isPeerGone = false
    private let maximumQueuedBytes: Int
    /// Most that one read takes.
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
    ///   - onBytes: Called with what arrives; the bytes are gone after the call.
    ///   - onEnd: Called when the peer has sent its last byte, and may still read. Left out, the channel closes then.
    ///   - onClose: Called once, at the end. All are let go of then, so that they may hold who holds the channel.
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

    /// Whoever is called back may hold this channel.
    private func letGo() {
        onBytes = { _ in }
        onEnd = nil
        onClose = { _ in }
    }

    package func loopEnded() { close(.byThisSide("its loop ended")) }

    /// Queues bytes, which are written when what is being handled is done. False if too much is waiting already: the peer does not
    /// read.
    package func write(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard !isClosed, !isPeerGone, closing == nil else { return true }
        guard output.count - written + bytes.count <= maximumQueuedBytes else { return false }
        if output.isEmpty { output = loop.takeBuffer() }
        output.append(contentsOf: bytes)
        scheduleFlush()
        return true
    }

    /// Stops or resumes reading: the peer's bytes stay in the kernel, which stops the peer in turn.
    package func setReading(_ isReading: Bool) {
        setInterest(isReading ? interest | EventLoop.readable : interest & ~EventLoop.readable)
    }

    /// Closes after what is queued has been written.
    package func closeAfterWriting(_ reason: String) {
        guard !isClosed, closing == nil else { return }
        closing = .byThisSide(reason)
        scheduleFlush()
    }

    package func close(_ reason: CloseReason) {
        guard !isClosed else { return }
        isClosed = true
        loop.forget(token)
        // Ends the connection for the peer now; the descriptor goes with this object.
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

    /// - Parameter isEnding: Whether the peer's end comes after what is there to read.
    private func readAvailable(isEnding: Bool) {
        for _ in 0..<Self.readsPerTurn {
            guard !isClosed, interest & EventLoop.readable != 0 else { return }
            let buffer = loop.readBuffer
            let room = min(readBytes, buffer.count)
            let count = retryingInterrupts { read(descriptor.number, buffer.baseAddress, room) }
            if count > 0 {
                onBytes(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
                // A short read emptied the socket: asking again would only be told so.
                if count < room, !isEnding { return }
            } else if count == 0 {
                guard let onEnd else { return close(closing ?? .byPeer) }
                // A peer that is gone altogether hangs up, which is told whatever is watched.
                setInterest(interest & ~(EventLoop.readable | EventLoop.peerEnded))
                return onEnd()
            } else {
                if errno != EAGAIN {
                    close(errno == ECONNRESET ? .byPeer : .failed(SystemError("read from", on: "a peer")))
                }
                return
            }
        }
        // The rest in another turn.
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
                // The peer is gone, but what it said before is still to be read; the end of that closes the channel.
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

    /// What is ready already is said again.
    private func tellInterest() {
        guard !isClosed else { return }
        do {
            try loop.change(token, descriptor.number, interest)
        } catch {
            close(.failed(error))
        }
    }
}
