import Foundation
import Locking
import TestSupport
import Testing
import WatchLinkTesting

@Suite("A delegate that records", .serialized)
struct RecordingDelegateTests {
    private let phoneApp = RecordingDelegate {
        ["n": ($0["n"] as? Int ?? 0) + 1]
    } data: {
        Data($0.reversed())
    }
    private let watchApp = RecordingDelegate()

    private func pair() async throws -> SimulatedPair {
        let pair = try SimulatedPair()
        try await pair.start(phone: phoneApp, watch: watchApp)
        return pair
    }

    @Test("Messages are noted and answered")
    func messages() async throws {
        let pair = try await pair()
        let replies = Mutex<[Int]>([])
        pair.watch.session.sendMessage(["n": 1]) { reply in replies.withLock { $0.append(reply["n"] as? Int ?? 0) } }
        pair.watch.session.sendMessage(["n": 5], replyHandler: nil)
        let (first, second) = (try await phoneApp.next(.message), try await phoneApp.next(.message))
        #expect(first["n"] as? Int == 1)
        #expect(first.expectsReply)
        #expect(second["n"] as? Int == 5)
        #expect(!second.expectsReply)
        try await pair.waitUntil("the reply is there") { replies.withLock { $0 } == [2] }
        let data = Mutex<Data?>(nil)
        pair.watch.session.sendMessageData(Data([1, 2])) { reply in data.withLock { $0 = reply } }
        let message = try await phoneApp.next(.messageData)
        #expect(message == Data([1, 2]))
        try await pair.waitUntil("the data is there") { data.withLock { $0 } == Data([2, 1]) }
        pair.watch.session.sendMessageData(Data([3]), replyHandler: nil)
        let last = try await phoneApp.next(.messageData)
        #expect(last == Data([3]))
    }

    @Test("A delegate may give no answer: the sender waits in vain")
    func silent() async throws {
        let mute = RecordingDelegate(answer: { _ in nil }, data: { _ in nil })
        let pair = try SimulatedPair(times: .reply(.milliseconds(100)))
        try await pair.start(phone: mute, watch: watchApp)
        pair.watch.session.sendMessage([:], replyHandler: { _ in })
        pair.watch.session.sendMessageData(Data([1]), replyHandler: { _ in })
        _ = try await mute.next(.message)
        try await pair.expect(.message, from: .watch, .failed)
        try await pair.expect(.messageData, from: .watch, .failed)
    }

    @Test("Contexts, user infos and their ends are noted")
    func transfers() async throws {
        let pair = try await pair()
        try pair.watch.session.updateApplicationContext(["n": 1])
        let context = try await phoneApp.next(.applicationContext)
        #expect(context["n"] as? Int == 1)
        pair.watch.session.transferUserInfo(["n": 2])
        let info = try await phoneApp.next(.userInfo)
        #expect(info["n"] as? Int == 2)
        let end = try await watchApp.next(.userInfoTransfer)
        #expect(end.userInfo["n"] as? Int == 2)
        #expect(end.error == nil)
    }

    @Test("A file is kept, with its name and metadata, after its delegate method has returned")
    func file() async throws {
        let scratch = try Scratch()
        let pair = try await pair()
        let path = try scratch.write("scores.txt", "3 4 5")
        for number in 1...2 { pair.watch.session.transferFile(URL(filePath: path), metadata: ["n": number]) }
        for number in 1...2 {
            let file = try await phoneApp.next(.file)
            #expect(file.error == nil)
            #expect(file.metadata?["n"] as? Int == number)
            #expect(file.fileURL.lastPathComponent == "scores.txt")
            let text = try String(contentsOf: file.fileURL, encoding: .utf8)
            #expect(text == "3 4 5")
            let end = try await watchApp.next(.fileTransfer)
            #expect(end.fileURL.lastPathComponent == "scores.txt")
            #expect(end.metadata?["n"] as? Int == number)
            #expect(end.error == nil)
        }
    }

    @Test("The state of the session is noted when it changes")
    func states() async throws {
        let pair = try await pair()
        let activation = try await phoneApp.next(.activation)
        #expect(activation.state == .activated)
        #expect(activation.error == nil)
        let watchState = try await phoneApp.next(.watchState)
        #expect(watchState.isPaired)
        let reachability = try await watchApp.next(.reachability)
        #expect(reachability.isReachable)
        #expect(reachability.activationState == .activated)
        pair.setLinkUp(false)
        let lost = try await watchApp.next(.reachability)
        #expect(!lost.isReachable)
        pair.setLinkUp(true)
        let found = try await watchApp.next(.reachability)
        #expect(found.isReachable)
        pair.phone.simulator.setAppInstalled(false)
        while try await watchApp.next(.companionAppInstalled).isCompanionAppInstalled {}
    }

    @Test("A switch of watches is noted, and the session activated for the next one")
    func watches() async throws {
        let pair = try SimulatedPair(watches: 2)
        let secondApp = RecordingDelegate()
        try await pair.start(phone: phoneApp, watch: watchApp)
        pair.watches[1].start(delegate: secondApp)
        try await pair.waitUntil("both are known") { pair.phone.simulator.companions.count == 2 }
        try pair.phone.simulator.switchTo(pair.watches[1].identifier)
        let inactive = try await phoneApp.next(.inactive)
        #expect(inactive.activationState != .notActivated)
        _ = try await phoneApp.next(.deactivation)
        try await pair.waitUntil("the second is reachable") { pair.watches[1].session.isReachable }
        // The phone's app may be told after the watch's.
        for _ in 1...2 { _ = try await phoneApp.next(.activation) }
        let activations = phoneApp.all(.activation).count
        #expect(activations == 2)
    }

    @Test("Each call is given once, in order, also if it was made before it was asked for; all stay noted")
    func order() async throws {
        let pair = try await pair()
        for number in 1...3 { pair.watch.session.transferUserInfo(["n": number]) }
        try await pair.expect(.userInfo, at: .phone, times: 3)
        var numbers: [Int] = []
        for _ in 1...3 { numbers.append(try await phoneApp.next(.userInfo)["n"] as? Int ?? 0) }
        #expect(numbers == [1, 2, 3])
        let all = phoneApp.all(.userInfo).map { $0["n"] as? Int ?? 0 }
        #expect(all == [1, 2, 3])
        #expect(phoneApp.calls.count { $0 == "user info" } == 3)
        await #expect(throws: WaitTimeout.self) { try await phoneApp.next(.userInfo, within: .milliseconds(20)) }
    }

    @Test("A call that is not made is an error with those that were, and the ledgers")
    func never() async throws {
        let pair = try await pair()
        pair.watch.session.transferUserInfo(["n": 1])
        try await pair.expect(.userInfo, at: .phone)
        let error = try await #require(throws: WaitTimeout.self) {
            try await phoneApp.next(.message, within: .milliseconds(20))
        }
        #expect(error.what.hasPrefix("the delegate's next call: message (so far: "), "\(error)")
        #expect(error.what.contains("1 × user info"), "\(error)")
        #expect(error.description.contains("phone ← user info "), "\(error)")
        let idle = RecordingDelegate()
        let none = try await #require(throws: WaitTimeout.self) {
            try await idle.next(.activation, within: .milliseconds(20))
        }
        #expect(none.what.hasSuffix("(so far, none was made)"), "\(none)")
    }
}
