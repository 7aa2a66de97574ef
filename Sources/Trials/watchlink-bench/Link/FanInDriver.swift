import Foundation
import LinkProtocol
import LinkTransport

/// Many watches at the same time, each with one message in flight. They send prepared bytes, so that the host is
/// measured.
// Proof of `@unchecked Sendable`: used on the loop's thread only; the outcome is read after the semaphore.
final class FanInDriver: @unchecked Sendable {
    private struct Watch {
        let channel: StreamChannel
        let message: Data
        var frames = FrameDecoder()
        var start = MonotonicTime.now
        var hasGreeted = false
    }

    private let loop: EventLoop
    private let options: PeerOptions
    private let payload: Data
    private var watches: [Watch] = []
    private var greeted = 0
    private var pace: Pace
    private var outcome: Outcome?
    private let done = DispatchSemaphore(value: 0)

    static func drive(_ options: PeerOptions) throws -> Outcome {
        let driver = try FanInDriver(options)
        driver.loop.execute { driver.connect() }
        driver.done.wait()
        return driver.outcome ?? Outcome()
    }

    private init(_ options: PeerOptions) throws {
        loop = try EventLoop(name: "bench-watches")
        self.options = options
        payload = try BenchQuiz.payload()
        pace = Pace(seconds: options.seconds)
    }

    /// Connects one watch after another, as the listening socket's backlog is not measured.
    private func connect() {
        guard watches.count < options.connections else { return }
        do {
            let number = watches.count
            let descriptor = try UnixSocket.connect(to: options.socket, blocking: false)
            let message = MessagePackage(
                identifier: UUID(), command: .sendMessageData, status: .sent, dataPackage: payload, wantsReply: true,
                timestamp: Date())
            let channel = StreamChannel(loop: loop, descriptor: descriptor, maximumQueuedBytes: LinkLimits.queuedBytes)
            watches.append(Watch(channel: channel, message: try PackageCodec.frame(message)))
            try channel.open(
                onBytes: { [self] in received($0, number) }, onClose: { [self] _ in finish() })
            let hello = Hello(
                device: Device(identifier: Self.identifier(number), role: .companion, name: "watch \(number)"),
                versions: ProtocolVersion.first...ProtocolVersion.first)
            let greeting = try hello.package(identifier: UUID(), timestamp: Date())
            _ = try PackageCodec.frame(greeting).withUnsafeBytes { channel.write($0) }
        } catch {
            FileHandle.standardError.write(Data("\(error)\n".utf8))
            finish()
        }
    }

    /// Returns an identifier that is the same in every round, as a host limits the number of known watches.
    private static func identifier(_ number: Int) -> UUID {
        let (high, low) = (UInt8(number >> 8 & 0xFF), UInt8(number & 0xFF))
        return UUID(uuid: (0xBE, 0x7C, 0, 0, 0, 0, 0x40, 0, 0x80, 0, 0, 0, 0, 0, high, low))
    }

    private func received(_ bytes: UnsafeRawBufferPointer, _ number: Int) {
        watches[number].frames.begin(bytes)
        defer { watches[number].frames.end() }
        do {
            while try watches[number].frames.nextFrame({ _, _ in () }) != nil {
                guard watches[number].hasGreeted else {
                    watches[number].hasGreeted = true
                    greeted += 1
                    connect()
                    if greeted == options.connections { begin() }
                    continue
                }
                // Until all watches are connected, frames are news of the host's state.
                guard greeted == options.connections, outcome == nil else { continue }
                guard pace.received(sentAt: watches[number].start) else { return finish() }
                send(number)
            }
        } catch {
            finish()
        }
    }

    private func begin() {
        pace = Pace(seconds: options.seconds)
        for number in watches.indices { send(number) }
    }

    private func send(_ number: Int) {
        watches[number].start = .now
        _ = watches[number].message.withUnsafeBytes { watches[number].channel.write($0) }
    }

    private func finish() {
        guard outcome == nil else { return }
        outcome = pace.outcome
        done.signal()
    }
}
