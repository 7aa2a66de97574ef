import EventLog
import Foundation
import LinkProtocol
import LinkTransport

/// Keeps packages in flight on one connection of the link. Runs on the loop.
// Proof of `@unchecked Sendable`: used on the loop's thread only; the outcome is read after the semaphore.
final class LinkDriver: @unchecked Sendable {
    private let loop: EventLoop
    private let options: PeerOptions
    private let payload: Data
    private let connector: LinkConnector
    private let done = DispatchSemaphore(value: 0)
    private var pace: Pace
    private var starts: [UUID: MonotonicTime] = [:]
    private var outcome: Outcome?

    init(_ loop: EventLoop, _ options: PeerOptions, payload: Data) {
        self.loop = loop
        self.options = options
        self.payload = payload
        pace = Pace(seconds: options.seconds)
        connector = LinkConnector(
            loop: loop, path: options.socket, device: Device(identifier: UUID(), role: .companion, name: "companion"),
            pairingCode: nil, times: LinkTimes(),
            backoff: Backoff(initial: .milliseconds(5), maximum: .milliseconds(50)),
            conditioner: LinkConditioner(loop: loop, LinkCondition(), seed: 1, logger: .silent), logger: .silent)
    }

    func run() -> Outcome {
        loop.execute { [self] in connector.start { [self] in handle($0) } }
        done.wait()
        return outcome ?? Outcome()
    }

    private func handle(_ event: LinkEvent) {
        switch event {
        case .connected(let hello, _):
            pace = Pace(seconds: options.seconds)
            for _ in 0..<options.outstanding { send(to: hello.device.identifier) }
        case .package(let package, let device, _):
            guard let message = package.answers, let start = starts.removeValue(forKey: message) else { return }
            guard pace.received(sentAt: start) else { return finish() }
            send(to: device.identifier)
        case .delivering: break
        case .disconnected: finish()
        case .unreachable: break
        }
    }

    private func finish() {
        guard outcome == nil else { return }
        outcome = pace.outcome
        done.signal()
    }

    private func send(to device: UUID) {
        let package = MessagePackage(
            identifier: .random(), command: .sendMessageData, status: .sent, dataPackage: payload, wantsReply: true,
            timestamp: Date())
        starts[package.identifier] = .now
        // The queue cannot be full with so few packages in flight.
        try? connector.send(package, to: device)
    }
}
