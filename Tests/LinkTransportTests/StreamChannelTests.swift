import Dispatch
import Files
import Glibc
import TestSupport
import Testing

@testable import LinkTransport

@Suite("Stream channels")
struct StreamChannelTests {
    /// A channel on a loop of its own, and its peer.
    private final class Stream: Sendable {
        let loop: EventLoop
        let peer: RawSocket
        let channel: StreamChannel
        let heard = Collector<[UInt8]>()
        let ends = Collector<Bool>()
        let closes = Collector<StreamChannel.CloseReason>()

        init(limit: Int = 4 * 1_024 * 1_024) throws {
            peer = try RawSocket()
            loop = try EventLoop(name: "test")
            channel = StreamChannel(loop: loop, descriptor: Descriptor(peer.other), maximumQueuedBytes: limit)
        }

        /// Opens the channel.
        ///
        /// - Parameter staysOpen: True if the channel may still write after the peer has ended its side.
        func open(staysOpen: Bool = false) throws {
            try loop.perform { [channel, heard, ends, closes] in
                try channel.open(
                    onBytes: { heard.add([UInt8]($0)) }, onEnd: staysOpen ? { ends.add(true) } : nil,
                    onClose: { closes.add($0) })
            }
        }

        /// Runs a task on the loop.
        func perform<Value: Sendable>(_ task: @escaping @Sendable (StreamChannel) throws -> Value) throws -> Value {
            try loop.perform { [channel] in try task(channel) }
        }

        deinit { loop.stopLater() }
    }

    private static func write(_ bytes: [UInt8], to channel: StreamChannel) -> Bool {
        bytes.withUnsafeBytes { channel.write($0) }
    }

    private static func write(_ count: Int, to channel: StreamChannel) -> Bool {
        write([UInt8](repeating: 7, count: count), to: channel)
    }

    @Test("A channel closes once, even if its end closes it again")
    func closesOnce() throws {
        let stream = try Stream()
        let closes = stream.closes
        try stream.perform { channel in
            try channel.open(
                onBytes: { _ in },
                onClose: { reason in
                    closes.add(reason)
                    // A third call shows the fault as well as an endless number.
                    if closes.all.count < 3 { channel.close(.byThisSide("again")) }
                })
            channel.close(.byThisSide("done"))
            channel.close(.byThisSide("later"))
            channel.closeAfterWriting("at last")
        }
        try stream.perform { _ in }
        let reasons = closes.all
        #expect(reasons == [.byThisSide("done")])
        let heard = try stream.peer.hear(1)
        #expect(heard == [])
    }

    @Test("The queue takes as many bytes as its limit in a turn, and not one more")
    func limit() throws {
        let stream = try Stream(limit: 10)
        try stream.open()
        let taken = try stream.perform { channel in [6, 4, 1, 0].map { Self.write($0, to: channel) } }
        #expect(taken == [true, true, false, true])
        let heard = try stream.peer.hear(10)
        #expect(heard == [UInt8](repeating: 7, count: 10))
        // What is written makes room.
        let later = try stream.perform { channel in [11, 10].map { Self.write($0, to: channel) } }
        #expect(later == [false, true])
    }

    @Test("Output that exceeds the socket arrives whole and in order when the peer reads, before the channel closes")
    func long() throws {
        let stream = try Stream()
        try stream.open()
        let bytes = (0..<1_000_000).map { UInt8($0 % 251) }
        let isTaken = try stream.perform { channel in
            let isTaken = Self.write(bytes, to: channel)
            channel.closeAfterWriting("done")
            return isTaken
        }
        #expect(isTaken)
        let early = stream.closes.all
        #expect(early == [])
        let heard = try stream.peer.hear(bytes.count + 1)
        #expect(heard.count == bytes.count)
        let isSame = heard == bytes
        #expect(isSame)
        stream.closes.expect { !$0.isEmpty }
        let closes = stream.closes.all
        #expect(closes == [.byThisSide("done")])
    }

    @Test("Before a channel closes, its earlier bytes are written, and later ones dropped")
    func closeAfterWriting() throws {
        let stream = try Stream()
        try stream.open()
        let taken = try stream.perform { channel in
            let first = Self.write([1], to: channel)
            channel.closeAfterWriting("first")
            channel.closeAfterWriting("second")
            return [first, Self.write([2], to: channel)]
        }
        #expect(taken == [true, true])
        let heard = try stream.peer.hear(2)
        #expect(heard == [1])
        stream.closes.expect { !$0.isEmpty }
        let closes = stream.closes.all
        #expect(closes == [.byThisSide("first")])
        let isTaken = try stream.perform { Self.write([3], to: $0) }
        #expect(isTaken)
    }

    @Test("A peer that says something and leaves is heard, and closes the channel")
    func peerLeaves() throws {
        let stream = try Stream()
        try stream.open()
        stream.peer.say([1, 2])
        stream.peer.leave()
        stream.closes.expect { !$0.isEmpty }
        let heard = stream.heard.all
        #expect(heard == [[1, 2]])
        let closes = stream.closes.all
        #expect(closes == [.byPeer])
    }

    @Test("The last words of a peer that no longer listens are heard, although this side wrote before it read them")
    func lastWords() throws {
        let stream = try Stream()
        try stream.open()
        let peer = stream.peer
        let taken = try stream.perform { channel in
            peer.say([1, 2])
            peer.leave()
            return Self.write([3], to: channel)
        }
        #expect(taken)
        stream.closes.expect { !$0.isEmpty }
        let heard = stream.heard.all
        #expect(heard == [[1, 2]])
        let closes = stream.closes.all
        #expect(closes == [.byPeer])
    }

    @Test("More than a turn may read is read in the next ones, in reads of at most the size allowed")
    func smallReads() throws {
        let stream = try Stream()
        stream.channel.readBytes = 3
        try stream.open()
        let bytes = [UInt8](1...20)
        stream.peer.say(bytes)
        stream.heard.expect { $0.joined().count == 20 }
        let heard = stream.heard.all
        #expect(heard.map(\.count) == [3, 3, 3, 3, 3, 3, 2])
        let whole = Array(heard.joined())
        #expect(whole == bytes)
    }

    @Test("A full read is followed by the end of the stream")
    func fullRead() throws {
        let stream = try Stream()
        stream.channel.readBytes = 3
        try stream.open()
        stream.peer.say([1, 2, 3])
        stream.heard.expect { $0 == [[1, 2, 3]] }
        stream.peer.leave()
        stream.closes.expect { $0 == [.byPeer] }
    }

    @Test("A channel that does not read leaves the bytes to the system until it does")
    func pause() throws {
        let stream = try Stream()
        try stream.open()
        try stream.perform { $0.setReading(false) }
        stream.peer.say([1])
        try stream.perform { _ in }
        let unread = stream.peer.unread
        #expect(unread == 1)
        try stream.perform { $0.setReading(true) }
        stream.heard.expect { $0 == [[1]] }
    }

    @Test("A channel that stops reading while it hears reads no more in that turn")
    func pauseInside() throws {
        let stream = try Stream()
        let (heard, closes) = (stream.heard, stream.closes)
        try stream.perform { channel in
            channel.readBytes = 1
            try channel.open(
                onBytes: { bytes in
                    heard.add([UInt8](bytes))
                    channel.setReading(false)
                }, onClose: { closes.add($0) })
        }
        stream.peer.say([1, 2, 3])
        heard.expect { !$0.isEmpty }
        try stream.perform { _ in }
        let early = heard.all
        #expect(early == [[1]])
        try stream.perform { $0.setReading(true) }
        heard.expect { $0.count >= 2 }
        let later = heard.all
        #expect(later == [[1], [2]])
    }

    @Test("The end of the peer's side is told once, and this side may still write")
    func halfClosed() throws {
        let stream = try Stream()
        try stream.open(staysOpen: true)
        stream.peer.finish()
        stream.ends.expect { !$0.isEmpty }
        let isTaken = try stream.perform { Self.write([1, 2], to: $0) }
        #expect(isTaken)
        let heard = try stream.peer.hear(2)
        #expect(heard == [1, 2])
        let ends = stream.ends.all
        #expect(ends == [true])
        let closes = stream.closes.all
        #expect(closes == [])
    }

    @Test("A channel whose loop ends closes, and says so to its peer")
    func loopEnds() throws {
        let stream = try Stream()
        try stream.open()
        stream.loop.stopLater()
        stream.closes.expect { !$0.isEmpty }
        let closes = stream.closes.all
        #expect(closes == [.byThisSide("its loop ended")])
        let heard = try stream.peer.hear(1)
        #expect(heard == [])
    }

    @Test("A closed channel lets go of what its callbacks hold")
    func letsGo() throws {
        let stream = try Stream()
        let gone = DispatchSemaphore(value: 0)
        try stream.perform { channel in
            let canary = Canary(gone)
            try channel.open(
                onBytes: { _ in withExtendedLifetime((canary, channel)) {} },
                onEnd: { withExtendedLifetime(canary) {} }, onClose: { _ in withExtendedLifetime(canary) {} })
            channel.close(.byPeer)
        }
        #expect(gone.wait(timeout: .now() + .seconds(30)) == .success)
    }

    @Test("What cannot be watched is not opened, and its callbacks are let go")
    func unwatched() throws {
        let loop = try EventLoop(name: "test")
        defer { loop.stopLater() }
        let number = open("/proc/self/exe", O_RDONLY | O_CLOEXEC)
        try #require(number >= 0)
        let channel = StreamChannel(loop: loop, descriptor: Descriptor(number), maximumQueuedBytes: 1)
        let gone = DispatchSemaphore(value: 0)
        #expect(throws: SystemError("watch", on: "descriptor \(number)", code: EPERM)) {
            try loop.perform {
                let canary = Canary(gone)
                try channel.open(
                    onBytes: { _ in withExtendedLifetime((canary, channel)) {} },
                    onEnd: { withExtendedLifetime(canary) {} }, onClose: { _ in withExtendedLifetime(canary) {} })
            }
        }
        #expect(gone.wait(timeout: .now() + .seconds(30)) == .success)
    }

    @Test("The reasons for which a channel closes are told in words")
    func reasons() {
        let reasons: [StreamChannel.CloseReason] = [
            .byPeer, .byThisSide("enough"), .failed(SystemError("read from", on: "a peer", code: EIO)),
        ]
        let words = reasons.map(\.description)
        #expect(words == ["closed by the peer", "enough", "read from a peer: Input/output error"])
    }

    @Test("What is written to a channel that is closed, or whose peer is gone, is dropped and never fills the queue")
    func dropped() throws {
        let closed = try Stream(limit: 10)
        try closed.open()
        let taken = try closed.perform { channel in
            channel.close(.byThisSide("done"))
            return Self.write(11, to: channel)
        }
        #expect(taken)
        let left = try Stream(limit: 10)
        try left.open()
        let (peer, loop, later) = (left.peer, left.loop, Collector<Bool>())
        try left.perform { channel in
            peer.leave()
            later.add(Self.write([1], to: channel))
            // Comes after that has been tried.
            loop.afterHandling { later.add(Self.write(11, to: channel)) }
        }
        later.expect { $0.count == 2 }
        let all = later.all
        #expect(all == [true, true])
    }

    @Test("A peer that leaves while nothing is read closes the channel; one that only ends its side does not yet")
    func leavesUnread() throws {
        let left = try Stream()
        try left.open()
        try left.perform { $0.setReading(false) }
        left.peer.leave()
        left.closes.expect { $0 == [.byPeer] }
        let finished = try Stream()
        try finished.open()
        try finished.perform { $0.setReading(false) }
        finished.peer.finish()
        try finished.perform { _ in }
        let early = finished.closes.all
        #expect(early == [])
        try finished.perform { $0.setReading(true) }
        finished.closes.expect { $0 == [.byPeer] }
    }

    @Test("The end of the peer's side is told once, however much is written after it")
    func longAfterEnd() throws {
        let stream = try Stream()
        try stream.open(staysOpen: true)
        stream.peer.finish()
        stream.ends.expect { !$0.isEmpty }
        let isTaken = try stream.perform { Self.write(1_000_000, to: $0) }
        #expect(isTaken)
        let heard = try stream.peer.hear(1_000_000)
        #expect(heard.count == 1_000_000)
        try stream.perform { _ in }
        let ends = stream.ends.all
        #expect(ends == [true])
    }

    @Test("A peer that closes without reading what was said to it has left, like any other")
    func unheard() throws {
        var ends: [Int32] = [0, 0]
        let result = socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &ends)
        try #require(result == 0)
        let (own, peer) = (ends[0], ends[1])
        _ = fcntl(own, F_SETFL, O_NONBLOCK)
        let loop = try EventLoop(name: "test")
        defer { loop.stopLater() }
        let channel = StreamChannel(loop: loop, descriptor: Descriptor(own), maximumQueuedBytes: 10)
        let closes = Collector<StreamChannel.CloseReason>()
        try loop.perform {
            try channel.open(onBytes: { _ in }, onClose: { closes.add($0) })
            _ = Self.write([1], to: channel)
        }
        try loop.perform {}
        _ = close(peer)
        closes.expect { !$0.isEmpty }
        let reasons = closes.all
        #expect(reasons == [.byPeer])
    }

    /// A channel of a listening socket, from which nobody can read, and to which nobody can write.
    private static func listening(_ loop: EventLoop, at path: String) throws -> StreamChannel {
        let listener = try UnixSocket.listen(at: path, mode: 0o600)
        return StreamChannel(loop: loop, descriptor: listener, maximumQueuedBytes: 10)
    }

    @Test("What cannot be read from, or written to, closes its channel with the error", arguments: [false, true])
    func failures(_ isWritten: Bool) throws {
        let scratch = try Scratch()
        let path = scratch.path("a.sock")
        let loop = try EventLoop(name: "test")
        defer { loop.stopLater() }
        let channel = try Self.listening(loop, at: path)
        let closes = Collector<StreamChannel.CloseReason>()
        try loop.perform { try channel.open(onBytes: { _ in }, onClose: { closes.add($0) }) }
        if isWritten {
            let isTaken = try loop.perform { Self.write([1], to: channel) }
            #expect(isTaken)
            closes.expect { !$0.isEmpty }
        } else {
            let client = try BlockingStream(connectingTo: path, timeout: nil)
            closes.expect { !$0.isEmpty }
            withExtendedLifetime(client) {}
        }
        let error =
            isWritten
            ? SystemError("write to", on: "a peer", code: ENOTCONN)
            : SystemError("read from", on: "a peer", code: EINVAL)
        let reasons = closes.all
        #expect(reasons == [.failed(error)])
        withExtendedLifetime(scratch) {}
    }

    @Test("A channel whose descriptor is no longer the one that is watched closes with the error")
    func unknown() throws {
        let stream = try Stream()
        try stream.open()
        let number = stream.peer.other
        let other = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        try #require(other >= 0)
        try stream.perform { channel in
            _ = dup2(other, number)
            channel.setReading(false)
        }
        _ = close(other)
        let reasons = stream.closes.all
        #expect(reasons == [.failed(SystemError("watch", on: "descriptor \(number)", code: ENOENT))])
    }

    @Test("The loop lets go of a channel that is closed")
    func forgotten() throws {
        let loop = try EventLoop(name: "test")
        defer { loop.stopLater() }
        let peer = try RawSocket()
        let isGone = try loop.perform {
            weak var former: StreamChannel?
            do {
                let channel = StreamChannel(loop: loop, descriptor: Descriptor(peer.other), maximumQueuedBytes: 1)
                try channel.open(onBytes: { _ in }, onClose: { _ in })
                former = channel
                channel.close(.byPeer)
            }
            return former == nil
        }
        #expect(isGone)
    }
}
