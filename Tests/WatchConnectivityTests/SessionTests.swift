import DeviceEngine
import DeviceShell
import EventLog
import Foundation
import LinkProtocol
import LinkTransport
import Locking
import TestSupport
import Testing

@testable import WatchConnectivity

/// Replies with the received data, and reports each call.
private final class EchoDelegate: NSObject, WCSessionDelegate, Sendable {
    let events = Collector<String>()
    private let held = Mutex<UncheckedBox<([String: Any]) -> Void>?>(nil)

    func giveLateReply() { held.withLock { $0 }?.value([:]) }

    func session(_ session: WCSession, activationDidCompleteWith state: WCSessionActivationState, error: (any Error)?) {
        events.add(error == nil ? "activated \(state.rawValue)" : "activation failed")
    }
    func sessionReachabilityDidChange(_ session: WCSession) { events.add("reachable \(session.isReachable)") }
    func session(_ session: WCSession, didReceiveMessage message: [String: Any]) {
        events.add("message \(message["text"] ?? "")")
    }
    func session(
        _ session: WCSession, didReceiveMessage message: [String: Any], replyHandler: @escaping ([String: Any]) -> Void
    ) {
        if message["silent"] as? Bool == true { return }
        if message["late"] as? Bool == true {
            let handler = UncheckedBox(replyHandler)
            return held.withLock { $0 = handler }
        }
        replyHandler(["echo": message])
        if message["twice"] as? Bool == true { replyHandler(["echo": "again"]) }
    }
    func session(_ session: WCSession, didReceiveMessageData messageData: Data) {
        events.add("data \(messageData.count)")
    }
    func session(_ session: WCSession, didReceiveMessageData messageData: Data, replyHandler: @escaping (Data) -> Void)
    {
        #expect(!Thread.isMainThread)
        replyHandler(messageData)
    }
}

/// Implements only the required methods.
private final class BareDelegate: NSObject, WCSessionDelegate, Sendable {
    func session(_ session: WCSession, activationDidCompleteWith state: WCSessionActivationState, error: (any Error)?) {
    }
}

/// A phone and a watch in one process, on a real socket.
private final class Pair {
    private let scratch: Scratch
    let host: WCSession
    let companion: WCSession
    let hostDelegate = EchoDelegate()
    let companionDelegate = EchoDelegate()
    let log = Collector<LogRecord>()

    init(reply: Duration = .seconds(30)) throws {
        scratch = try Scratch()
        let logger = Logger(service: "test", minimumLevel: .debug) { [log] in log.add($0) }
        let path = scratch.path("link")
        func session(_ role: DeviceRole) -> WCSession {
            var configuration = DeviceConfiguration(
                device: Device(identifier: UUID(), role: role, name: role.rawValue), socketPath: path,
                stateDirectory: "\(path).\(role.rawValue)")
            configuration.times.reply = reply
            configuration.logger = logger
            configuration.reconnect = Backoff(initial: .milliseconds(5), maximum: .milliseconds(20))
            return WCSession(configuration: configuration)
        }
        host = session(.host)
        companion = session(.companion)
        host.delegate = hostDelegate
        companion.delegate = companionDelegate
    }

    func connect() -> Bool {
        host.activate()
        companion.activate()
        return companionDelegate.events.expect { $0.contains("reachable true") }
            && hostDelegate.events.expect { $0.contains("reachable true") }
    }
}

@Suite("Sessions of two devices")
struct SessionTests {
    /// Sends data and returns the result.
    private static func end(
        _ session: WCSession, _ data: Data = Data([1]), _ ends: Collector<String> = Collector()
    ) -> Collector<String> {
        session.sendMessageData(data) {
            ends.add("reply \($0.count)")
        } errorHandler: { error in
            ends.add("error \((error as? WCError)?.code.rawValue ?? 0)")
        }
        return ends
    }

    /// Sends a dictionary and returns the result.
    private static func end(_ session: WCSession, message: [String: Any]) -> Collector<String> {
        let ends = Collector<String>()
        session.sendMessage(message) { _ in
            ends.add("reply")
        } errorHandler: { error in
            ends.add("error \((error as? WCError)?.code.rawValue ?? 0)")
        }
        return ends
    }

    @Test("Both activate, become reachable, and data is replied to both ways")
    func bothWays() throws {
        let pair = try Pair()
        #expect(pair.connect())
        #expect(pair.host.activationState == .activated)
        #expect(pair.companion.isReachable)
        #expect(pair.companionDelegate.events.all.first == "activated 2")
        Self.end(pair.companion, Data(repeating: 1, count: 900)).expect { $0 == ["reply 900"] }
        Self.end(pair.host).expect { $0 == ["reply 1"] }
    }

    @Test("Dictionaries of property-list values are sent and returned unchanged")
    func dictionaries() throws {
        let pair = try Pair()
        #expect(pair.connect())
        let replies = Collector<String>()
        let message: [String: Any] = [
            "text": "Grüße", "list": [1, 2.5, true] as [Any], "data": Data([1]), "date": Date(timeIntervalSince1970: 5),
        ]
        pair.companion.sendMessage(message) { reply in
            let same = (reply["echo"] as? NSDictionary)?.isEqual(to: message) == true
            replies.add(same ? "same" : "\(reply)")
        }
        replies.expect { $0 == ["same"] }
        pair.companion.sendMessage(["text": "no reply wanted"], replyHandler: nil)
        pair.hostDelegate.events.expect { $0.contains("message no reply wanted") }
    }

    @Test("Messages arrive in order, and each reply finds its own handler")
    func order() throws {
        let pair = try Pair()
        #expect(pair.connect())
        let replies = Collector<Int>()
        for number in 0..<500 {
            pair.companion.sendMessageData(Data(repeating: 0, count: number)) { replies.add($0.count) }
        }
        replies.expect { $0.count == 500 }
        #expect(replies.all == Array(0..<500))
    }

    @Test("Before the activation nothing is sent")
    func notActivated() throws {
        let pair = try Pair()
        Self.end(pair.companion).expect { $0 == ["error 7004"] }
    }

    @Test("Without a counterpart nothing is sent")
    func notReachable() throws {
        let pair = try Pair()
        pair.companion.activate()
        pair.companionDelegate.events.expect { $0.contains("activated 2") }
        Self.end(pair.companion).expect { $0 == ["error 7007"] }
    }

    @Test("Data that is too large or not a property list has its own error")
    func badPayload() throws {
        let pair = try Pair()
        #expect(pair.connect())
        Self.end(pair.companion, Data(count: LinkLimits.messageBytes)).expect { $0 == ["reply 65536"] }
        Self.end(pair.companion, Data(count: LinkLimits.messageBytes + 1)).expect { $0 == ["error 7009"] }
        let errors = Collector<String>()
        pair.companion.sendMessage(["deep": [1, UUID()] as [Any]], replyHandler: nil) {
            errors.add($0.localizedDescription)
        }
        errors.expect { $0.first?.contains("deep[1]") == true }
    }

    @Test("Every kind of number is accepted, and can be read as any type that can hold it")
    func numbers() throws {
        let pair = try Pair()
        #expect(pair.connect())
        let echoes = Collector<UncheckedBox<[String: Any]>>()
        let numbers: [String: Any] = [
            "cg": CGFloat(1.5), "decimal": Decimal(string: "2.25") ?? 0, "object": NSDecimalNumber(value: 3), "int": 4,
            "true": true,
            "list": [CGFloat(5)], "big": UInt64.max, "float": Float(6.5),
        ]
        pair.companion.sendMessage(numbers) { reply in
            echoes.add(UncheckedBox(reply["echo"] as? [String: Any] ?? [:]))
        } errorHandler: {
            Issue.record($0)
        }
        echoes.expect { $0.count == 1 }
        let echo = try #require(echoes.all.first).value
        #expect(echo["cg"] as? Double == 1.5)
        #expect(echo["decimal"] as? Double == 2.25)
        #expect(echo["object"] as? Double == 3.0)
        #expect(echo["object"] as? Int == 3)
        #expect(echo["int"] as? Int == 4)
        #expect(echo["int"] as? Double == 4.0)
        #expect(echo["int"] as? UInt8 == UInt8(4))
        #expect(echo["true"] as? Bool == true)
        #expect(echo["list"] as? [Double] == [5.0])
        #expect(echo["big"] as? UInt64 == UInt64.max)
        #expect(echo["float"] as? Float == Float(6.5))
        #expect(echo.values.allSatisfy { $0 is NSNumber || $0 is [Any] }, "\(echo)")
    }

    @Test("A second phone on one socket gets a session error that says so")
    func secondPhone() throws {
        let pair = try TestPair()
        #expect(pair.host.activate())
        let other = TestDevice(.host, in: pair.scratch, name: "other")
        other.session.activate()
        other.delegate.events.expect { $0 == ["activated 0 7001"] }
        let twin = WCSession(configuration: pair.host.configuration)
        let delegate = RecordingDelegate()
        twin.delegate = delegate
        twin.activate()
        delegate.events.expect { $0 == ["activated 0 7001"] }
        #expect(delegate.activationErrors.all.count == 1)
        for error in delegate.activationErrors.all + other.delegate.activationErrors.all { #expect(error is WCError) }
    }

    @Test("A reply after its time-out changes nothing, and is recognised as late")
    func late() throws {
        let pair = try Pair(reply: .milliseconds(100))
        #expect(pair.connect())
        let ends = Self.end(pair.companion, message: ["late": true])
        ends.expect { $0 == ["error 7012"] }
        pair.hostDelegate.giveLateReply()
        pair.log.expect { $0.contains { $0.event == .replyTooLate } }
        #expect(ends.all == ["error 7012"])
    }

    @Test("A reply that never comes is a time-out")
    func timeout() throws {
        let pair = try Pair(reply: .milliseconds(100))
        #expect(pair.connect())
        let ends = Self.end(pair.companion, message: ["silent": true])
        ends.expect { $0 == ["error 7012"] }
        pair.log.expect { $0.contains { $0.event == .replyDropped } }
    }

    @Test("A duplicate reply counts once, and the second is logged")
    func twice() throws {
        let pair = try Pair()
        #expect(pair.connect())
        let ends = Self.end(pair.companion, message: ["twice": true])
        pair.log.expect { $0.contains { $0.event == .replyRepeated } }
        Self.end(pair.companion).expect { $0 == ["reply 1"] }
        #expect(ends.all == ["reply"])
    }

    @Test("A delegate without the method fails the delivery at the sender")
    func missingMethod() throws {
        let pair = try Pair()
        #expect(pair.connect())
        let bare = BareDelegate()
        pair.host.delegate = bare
        Self.end(pair.companion).expect { $0 == ["error 7014"] }
        pair.log.expect { $0.contains { $0.event == .delegateMethodMissing } }
        let errors = Collector<Int>()
        pair.companion.sendMessage(["a": 1], replyHandler: nil) { errors.add(($0 as? WCError)?.code.rawValue ?? 0) }
        errors.expect { $0 == [7014] }
        withExtendedLifetime(bare) {}
    }

    @Test("A lost counterpart fails messages in flight, and reachability is reported")
    func lost() throws {
        let pair = try Pair()
        #expect(pair.connect())
        let ends = Self.end(pair.companion, message: ["silent": true])
        pair.log.expect { $0.contains { $0.event == .replyDropped } }
        pair.host.shutDown("test") {}
        ends.expect { $0 == ["error 7007"] }
        pair.companionDelegate.events.expect { $0.contains("reachable false") }
        #expect(!pair.companion.isReachable)
    }

    @Test("Activation and reachability are observable")
    func observation() throws {
        let pair = try Pair()
        let seen = Collector<String>()
        let activation = pair.companion.observe(\.activationState, options: [.old, .new]) { _, change in
            seen.add("\(change.oldValue.map { $0.rawValue } ?? -1) to \(change.newValue.map { $0.rawValue } ?? -1)")
        }
        let initial = pair.companion.observe(\.isReachable, options: [.initial, .new]) { _, change in
            seen.add("reachable \(change.newValue ?? false)")
        }
        #expect(pair.connect())
        seen.expect { $0.contains("0 to 2") && $0.contains("reachable true") }
        #expect(seen.all.first == "reachable false")
        initial.invalidate()
        pair.host.shutDown("test") {}
        pair.companionDelegate.events.expect { $0.contains("reachable false") }
        #expect(seen.all.filter { $0 == "reachable false" }.count == 1)
        withExtendedLifetime(activation) {}
    }

    @Test("A delegate that blocks holds its sender back, not the link")
    func backPressure() throws {
        let pair = try Pair()
        #expect(pair.connect())
        final class Blocking: NSObject, WCSessionDelegate, Sendable {
            let gate = DispatchSemaphore(value: 0)
            let count = Mutex(0)
            func session(
                _ session: WCSession, activationDidCompleteWith state: WCSessionActivationState, error: (any Error)?
            ) {}
            func session(_ session: WCSession, didReceiveMessageData data: Data) {
                if count.withLock({
                    $0 += 1
                    return $0 == 1
                }) {
                    gate.wait()
                }
            }
        }
        let blocking = Blocking()
        pair.host.delegate = blocking
        for _ in 0..<3000 { pair.companion.sendMessageData(Data(count: 10), replyHandler: nil) }
        pair.log.expect { $0.contains { $0.event == .readingPaused } }
        blocking.gate.signal()
        pair.log.expect { $0.contains { $0.event == .readingResumed } }
        Self.end(pair.host).expect { $0 == ["reply 1"] }
    }
}

@Suite("Errors and configuration")
struct ErrorTests {
    @Test("Errors are caught by code, cast, and have a description", arguments: WCError.Code.allCases)
    func errors(_ code: WCError.Code) {
        let error: any Error = WCError(code)
        #expect((error as? WCError)?.code == code)
        #expect((error as NSError).domain == "WCErrorDomain")
        #expect((error as NSError).code == code.rawValue)
        #expect(!error.localizedDescription.isEmpty)
        do {
            throw error
        } catch WCError.notReachable {
            #expect(code == .notReachable)
        } catch {
            #expect(code != .notReachable)
        }
    }

    @Test("The environment makes a process a device")
    func environment() throws {
        let scratch = try Scratch()
        let none = try DeviceConfiguration(environment: [:])
        #expect(none == nil)
        #expect(throws: DeviceConfiguration.EnvironmentError.self) {
            try DeviceConfiguration(environment: ["WATCHLINK_ROLE": "phone", "WATCHLINK_SOCKET": "/s"])
        }
        #expect(throws: DeviceConfiguration.EnvironmentError.self) {
            try DeviceConfiguration(environment: ["WATCHLINK_ROLE": "host"])
        }
        let identifier = UUID()
        let configuration = try #require(
            try DeviceConfiguration(environment: [
                "WATCHLINK_ROLE": "companion", "WATCHLINK_SOCKET": scratch.path("s"),
                "WATCHLINK_DEVICE_ID": identifier.uuidString, "WATCHLINK_DEVICE_NAME": "companion",
            ]))
        #expect(configuration.device == Device(identifier: identifier, role: .companion, name: "companion"))
        #expect(configuration.socketPath == scratch.path("s"))
    }

    @Test("So does a file, even a service's with the role in it; an error is reported with its line")
    func file() throws {
        let scratch = try Scratch()
        let path = try scratch.write(
            "phone.json5",
            """
            { device: { role: "host", name: "P", state: "there" }, link: { replyTimeout: 2 },
              payloads: { message: 100 }, companions: { serving: "all" }, ledger: { capacity: 5 }, log: { level: "info" } }
            """)
        let configuration = try #require(try DeviceConfiguration(environment: ["WATCHLINK_CONFIGURATION": path]))
        #expect(configuration.device.role == .host)
        #expect(configuration.device.name == "P")
        #expect(configuration.socketPath == scratch.path("link.sock"))
        #expect(configuration.stateDirectory == scratch.path("there"))
        #expect(configuration.times.reply == .seconds(2))
        #expect(configuration.payloads.message == 100)
        #expect(configuration.companions.serving == .all)
        #expect(configuration.ledgerCapacity == 5)
        let again = try DeviceConfiguration(file: path).device.identifier
        #expect(again == configuration.device.identifier)
        let wrong = try scratch.write("wrong.json5", "{ device: { role: \"host\" },\n payloads: { message: 0 } }")
        do {
            _ = try DeviceConfiguration(file: wrong)
            Issue.record("a limit of nothing was taken")
        } catch {
            #expect("\(error)".contains("wrong.json5:2: payloads.message"), "\(error)")
        }
        #expect(throws: (any Error).self) { try DeviceConfiguration(file: scratch.write("none.json5", "{}")) }
    }

    @Test("A process that is not a device reports it for every kind of item")
    func unsupported() {
        // The bundle itself is a device, as tests of it are linked with WatchLinkTesting.
        let session = WCSession()
        let codes = Collector<Int>()
        func note(_ error: any Error) { codes.add((error as? WCError)?.code.rawValue ?? 0) }
        session.sendMessage(["n": 1], replyHandler: nil, errorHandler: note)
        session.sendMessage(["u": UUID()], replyHandler: nil, errorHandler: note)
        session.sendMessageData(Data([1]), replyHandler: nil, errorHandler: note)
        session.sendMessageData(Data(), replyHandler: nil, errorHandler: note)
        codes.expect { $0 == [7002, 7002, 7002, 7002] }
        do {
            try session.updateApplicationContext(["n": 1])
            Issue.record("a context was taken")
        } catch {
            note(error)
        }
        #expect(codes.all.last == 7002)
        let delegate = RecordingDelegate()
        session.delegate = delegate
        session.transferUserInfo(["n": 1])
        session.transferFile(URL(filePath: "/dev/null"), metadata: nil)
        session.activate()
        delegate.events.expect {
            $0 == ["finished userInfo n=1 7002 false", "finished file null 7002", "activated 0 7002"]
        }
    }

    /// Reports its end.
    private final class Sentinel: Sendable {
        let ends: Collector<String>

        init(_ ends: Collector<String>) { self.ends = ends }

        deinit { ends.add("gone") }
    }

    @Test("Devices that have ended or been released leave no loop, store or files behind")
    func released() throws {
        let ends = Collector<String>()
        do {
            let pair = try TestPair {
                let sentinel = Sentinel(ends)
                $0.logger = Logger(service: "device", minimumLevel: .debug) { _ in _ = sentinel }
            }
            #expect(pair.connect())
            pair.companion.session.transferUserInfo(["n": 1])
            #expect(pair.host.received(["userInfo n=1"], "userInfo"))
            #expect(pair.companion.end())
        }
        ends.expect { $0 == ["gone", "gone"] }
    }
}
