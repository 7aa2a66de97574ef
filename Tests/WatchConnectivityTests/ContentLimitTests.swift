import DeviceShell
import EventLog
import Foundation
import LinkProtocol
import TestSupport
import Testing

@testable import WatchConnectivity

/// Answers data with as many bytes as its first byte says, in hundreds, and as many more as the second says.
private final class SizedReplyDelegate: NSObject, WCSessionDelegate, Sendable {
    func session(_ session: WCSession, activationDidCompleteWith state: WCSessionActivationState, error: (any Error)?) {
    }
    func session(_ session: WCSession, didReceiveMessageData messageData: Data, replyHandler: @escaping (Data) -> Void)
    {
        replyHandler(Data(count: Int(messageData[messageData.startIndex]) * 100 + Int(messageData.last ?? 0)))
    }
}

@Suite("The limits of content")
struct ContentLimitTests {
    private static let limit = 1_000

    private let scratch: Scratch

    init() throws { scratch = try Scratch() }

    private func makeDevice(_ role: DeviceRole = .host) -> TestDevice {
        TestDevice(role, in: scratch) {
            $0.payloads.message = Self.limit
            $0.payloads.context = Self.limit
            $0.payloads.userInfo = Self.limit
        }
    }

    /// Returns a dictionary with so many bytes when it is encoded.
    private func dictionary(bytes: Int) throws -> [String: Any] {
        let around = try MessagePayload.data(["d": Data(count: 500)]).count - 500
        let content: [String: Any] = ["d": Data(count: bytes - around)]
        let encoded = try MessagePayload.data(content).count
        #expect(encoded == bytes)
        return content
    }

    @Test("Content of exactly the limit is queued, and of one byte more is refused", arguments: [0, 1])
    func background(_ excess: Int) throws {
        let device = makeDevice()
        #expect(device.activate())
        let content = try dictionary(bytes: Self.limit + excess)
        var code = 0
        do {
            try device.session.updateApplicationContext(content)
        } catch {
            code = (error as NSError).code
        }
        #expect(code == (excess == 0 ? 0 : 7009))
        let info = device.session.transferUserInfo(content)
        #expect(info.isTransferring == (excess == 0))
        let file = try scratch.write("f", "text")
        let transfer = device.session.transferFile(URL(filePath: file), metadata: content)
        #expect(transfer.isTransferring == (excess == 0))
        let complication = device.session.transferCurrentComplicationUserInfo(content)
        #expect(complication.isTransferring == (excess == 0))
        #expect(device.session.outstandingFileTransfers.count == 1 - excess)
        #expect(device.session.outstandingUserInfoTransfers.count == 2 - 2 * excess)
        guard excess > 0 else { return }
        device.delegate.events.expect { $0.contains("finished file f 7009") }
        device.delegate.events.expect { events in
            events.count { $0.hasPrefix("finished userInfo") && $0.hasSuffix(" 7009 false") } == 2
        }
    }

    @Test("A file's metadata that cannot be sent refuses the file, which is said in the ledger with the limit")
    func metadata() throws {
        let device = makeDevice()
        #expect(device.activate())
        let file = try scratch.write("f", "text")
        let content = try dictionary(bytes: Self.limit + 1)
        let transfer = device.session.transferFile(URL(filePath: file), metadata: content)
        let entry = try device.ledger(transfer.identifier)
        #expect(entry?.state == .failed)
        #expect(entry?.kind == "file")
        #expect(entry?.cause == "The payload is too large: 1001 bytes; the limit is 1000")
    }

    @Test("A message of exactly the limit is sent, and of one byte more is refused, before reachability is looked at")
    func message() throws {
        let device = makeDevice(.companion)
        #expect(device.activate())
        let errors = Collector<Int>()
        for excess in [0, 1] {
            let content = try dictionary(bytes: Self.limit + excess)
            device.session.sendMessage(content, replyHandler: nil) { errors.add(($0 as NSError).code) }
            device.session.sendMessageData(Data(count: Self.limit + excess), replyHandler: nil) {
                errors.add(($0 as NSError).code)
            }
        }
        errors.expect { $0 == [7007, 7007, 7009, 7009] }
    }

    @Test("Content above nine tenths of the limit gets the hint with its size, and content of just that does not")
    func nearLimit() {
        let device = makeDevice()
        let data = Data(count: 900)
        device.session.sendMessageData(data, replyHandler: nil) { _ in }
        #expect(device.hints == [.sendBeforeActivation])
        device.session.sendMessageData(data + [0], replyHandler: nil) { _ in }
        #expect(device.hints == [.sendBeforeActivation, .payloadNearLimit])
        let fields = device.log.all.last { $0.fields.contains(.hint(Hint.payloadNearLimit.rawValue)) }?.fields ?? []
        #expect(fields.contains(.bytes(901)))
        #expect(fields.contains(.kind("data")))
    }

    @Test("A reply of exactly the limit arrives, and one byte more fails the message at its sender")
    func reply() throws {
        let (host, companion) = (makeDevice(), makeDevice(.companion))
        #expect(host.activate())
        #expect(companion.activate())
        companion.delegate.events.expect { $0.contains("reachable true") }
        let delegate = SizedReplyDelegate()
        host.session.delegate = delegate
        let ends = Collector<String>()
        for excess: UInt8 in [0, 1] {
            companion.session.sendMessageData(Data([10, excess])) {
                ends.add("reply \($0.count)")
            } errorHandler: {
                ends.add("error \(($0 as NSError).code)")
            }
        }
        ends.expect { $0 == ["reply 1000", "error 7011"] }
        withExtendedLifetime(delegate) {}
    }
}
