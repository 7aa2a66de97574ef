import EventLog
import Foundation
import LinkProtocol
import LinkTransport
import Locking

/// The link alone: both ends archive and unarchive packages, without any logic.
enum LinkPeer {
    static func serve(_ options: PeerOptions) throws -> Never {
        let loop = try EventLoop(name: "bench-host")
        let reply = try BenchQuiz.acknowledgement()
        loop.execute {
            let listener = LinkListener(
                loop: loop, path: options.socket, device: Device(identifier: UUID(), role: .host, name: "host"),
                access: .owner, times: LinkTimes(),
                conditioner: LinkConditioner(loop: loop, LinkCondition(), seed: 1, logger: .silent), logger: .silent)
            do {
                try listener.start { [unowned listener] event in
                    guard case .package(let package, let device, _) = event else { return }
                    let answer = MessagePackage(
                        identifier: .random(), command: package.command, status: .replied, dataPackage: reply,
                        answers: package.identifier, timestamp: Date())
                    // It does not matter if the driver has ended.
                    try? listener.send(answer, to: device.identifier)
                }
                kept.withLock { $0 = listener }
                Ready.say()
            } catch {
                FileHandle.standardError.write(Data("\(error)\n".utf8))
                exit(1)
            }
        }
        dispatchMain()
    }

    private static let kept = Mutex<LinkListener?>(nil)

    static func drive(_ options: PeerOptions) throws -> Outcome {
        let loop = try EventLoop(name: "bench-companion")
        let driver = LinkDriver(loop, options, payload: try BenchQuiz.payload())
        return driver.run()
    }

    /// Returns the sizes of a request and of a reply on the wire, in bytes.
    static func sizes() throws -> (request: Int, reply: Int) {
        let request = MessagePackage(
            identifier: .random(), command: .sendMessageData, status: .sent, dataPackage: try BenchQuiz.payload(),
            wantsReply: true, timestamp: Date())
        let reply = MessagePackage(
            identifier: .random(), command: .sendMessageData, status: .replied,
            dataPackage: try BenchQuiz.acknowledgement(),
            answers: UUID(), timestamp: Date())
        return (try PackageCodec.frame(request).count, try PackageCodec.frame(reply).count)
    }
}
