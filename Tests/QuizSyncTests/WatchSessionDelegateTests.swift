import Foundation
import LinkProtocol
import TestSupport
import Testing
import WatchConnectivity

@testable import QuizSync
@testable import RecordSync

/// A receiver that collects what it is given.
private final class CollectingReceiver: MessageReceiver {
    let packages = Collector<MessagePackage>()
    let replies = Collector<PendingReply?>()
    let rounds = Collector<Bool>()

    func received(_ package: MessagePackage, reply: PendingReply?) {
        packages.add(package)
        replies.add(reply)
    }

    func roundEnded() { rounds.add(true) }
}

extension ApplicationTests {
    /// Part of the serialised suite, as what it posts is posted to the whole process.
    @Suite("Delegate of a session")
    struct WatchSessionDelegateTests: DataProvider {
        private let scratch: Scratch
        private let session: WCSession
        private let receiver = CollectingReceiver()

        init() throws {
            scratch = try Scratch()
            session = WCSession(
                configuration: DeviceConfiguration(
                    device: Device(identifier: UUID(), role: .companion, name: "c"),
                    socketPath: scratch.path("none.sock"), stateDirectory: scratch.path("state")))
        }

        /// Collects the names of this session's notifications, each with its reason.
        private func observe(_ names: [Notification.Name], _ posted: Collector<String>) -> [NotificationObserver] {
            let session = session
            return names.map { name in
                NotificationObserver(name) { notification in
                    guard let object = notification.object as? WCSession, object === session else { return }
                    let reason = notification.userInfo?[NotificationKey.error] as? String
                    posted.add(notification.name.rawValue + (reason.map { ": \($0)" } ?? ""))
                }
            }
        }

        @Test("Each event of a session is posted with it, and a failed activation with its reason")
        func events() {
            let posted = Collector<String>()
            let observers = observe(
                [
                    .activationDidComplete, .reachabilityDidChange, .sessionDidBecomeInactive, .sessionDidDeactivate,
                    .didReceiveTransfer,
                ], posted)
            let delegate = WatchSessionDelegate()
            delegate.session(session, activationDidCompleteWith: .activated, error: nil)
            let error: any Error = WCError(.genericError, reason: "no disk")
            let reason = (error as NSError).localizedFailureReason ?? error.localizedDescription
            delegate.session(session, activationDidCompleteWith: .notActivated, error: error)
            delegate.sessionReachabilityDidChange(session)
            delegate.sessionDidBecomeInactive(session)
            delegate.sessionDidDeactivate(session)
            delegate.session(session, didReceiveApplicationContext: [:])
            delegate.session(session, didReceiveUserInfo: [:])
            posted.expect { $0.count == 7 }
            let expected = [
                "WatchLinkActivationDidComplete", "WatchLinkActivationDidComplete: \(reason)",
                "WatchLinkReachabilityDidChange", "WatchLinkSessionDidBecomeInactive", "WatchLinkSessionDidDeactivate",
                "WatchLinkDidReceiveTransfer", "WatchLinkDidReceiveTransfer",
            ]
            #expect(posted.all == expected)
            withExtendedLifetime(observers) {}
        }

        @Test("A file is announced like other content")
        func file() {
            let posted = Collector<String>()
            let observers = observe([.didReceiveTransfer], posted)
            WatchSessionDelegate().session(session, didReceive: WCSessionFile())
            posted.expect { $0 == ["WatchLinkDidReceiveTransfer"] }
            withExtendedLifetime(observers) {}
        }

        @Test("A session that was deactivated is activated again")
        func deactivated() {
            let posted = Collector<String>()
            let observers = observe([.activationDidComplete], posted)
            let delegate = WatchSessionDelegate()
            session.delegate = delegate
            delegate.sessionDidDeactivate(session)
            posted.expect { $0 == ["WatchLinkActivationDidComplete"] }
            #expect(session.activationState == .activated)
            withExtendedLifetime((delegate, observers)) {}
        }

        @Test("Data is passed on as a message, and its sender gets the answer once")
        func data() throws {
            let delegate = WatchSessionDelegate(receiver: receiver)
            let answers = Collector<Data>()
            delegate.session(session, didReceiveMessageData: Data([1]))
            delegate.session(session, didReceiveMessageData: Data([2])) { answers.add($0) }
            #expect(receiver.packages.all.map(\.dataPackage) == [Data([1]), Data([2])])
            #expect(receiver.packages.all.map(\.wantsReply) == [false, true])
            #expect(receiver.packages.all.map(\.status) == [.received, .received])
            #expect(receiver.packages.all.map(\.command) == [.sendMessageData, .sendMessageData])
            let areExpected = receiver.replies.all.map { $0 != nil }
            #expect(areExpected == [false, true])
            let last = receiver.replies.all.last ?? nil
            let reply = try #require(last)
            #expect(answers.all.isEmpty)
            let identifier = UUID()
            reply.send(QuizAcknowledgement(identifier, .stored))
            reply.send(QuizAcknowledgement(identifier, .conflict))
            #expect(answers.all.count == 1)
            let acknowledgement = try RecordApplication.quizzes.acknowledgements.read(answers.all.first ?? Data())
            #expect(acknowledgement?.verdict == .stored)
            #expect(acknowledgement?.identifier == identifier)
        }

        @Test("A dictionary with an archive is passed on as its payload, with the same answer in a dictionary")
        func dictionaries() throws {
            let delegate = WatchSessionDelegate(receiver: receiver)
            let answers = Collector<Data>()
            let archive = try makeQuiz().archivedData()
            let expected = try payload(around: archive)
            delegate.session(session, didReceiveMessage: [Payload.dataKey: archive])
            delegate.session(session, didReceiveMessage: [Payload.dataKey: archive]) { reply in
                if let data = reply[Payload.dataKey] as? Data { answers.add(data) }
            }
            #expect(receiver.packages.all.map(\.dataPackage) == [expected, expected])
            #expect(receiver.packages.all.map(\.wantsReply) == [false, true])
            let last = receiver.replies.all.last ?? nil
            let reply = try #require(last)
            reply.send(QuizAcknowledgement(nil, .unavailable, message: "full"))
            let acknowledgement = try RecordApplication.quizzes.acknowledgements.read(answers.all.first ?? Data())
            #expect(acknowledgement?.verdict == .unavailable)
            #expect(acknowledgement?.message == "full")
        }

        @Test("A dictionary without an archive is passed on to nobody, and its sender is told so")
        func wrongDictionaries() throws {
            let delegate = WatchSessionDelegate(receiver: receiver)
            let answers = Collector<Data>()
            delegate.session(session, didReceiveMessage: ["text": "hello"])
            delegate.session(session, didReceiveMessage: ["text": "hello"]) { reply in
                if let data = reply[Payload.dataKey] as? Data { answers.add(data) }
            }
            #expect(receiver.packages.all.isEmpty)
            #expect(answers.all.count == 1)
            let acknowledgement = try RecordApplication.quizzes.acknowledgements.read(answers.all.first ?? Data())
            #expect(acknowledgement?.verdict == .undecodable)
            #expect(acknowledgement?.identifier == nil)
            #expect(acknowledgement?.message?.isEmpty == false)
        }

        @Test("The end of a round is passed on, and without a receiver it ends nothing")
        func rounds() {
            let delegate = WatchSessionDelegate(receiver: receiver)
            delegate.sessionsDidEndRound()
            #expect(receiver.rounds.all == [true])
            WatchSessionDelegate().sessionsDidEndRound()
            #expect(receiver.rounds.all == [true])
        }

        @Test("Without a receiver a message is posted, with its reply if the sender waits for one")
        func posted() throws {
            let packages = Collector<MessagePackage>()
            let replies = Collector<PendingReply?>()
            let data = [Data("first \(UUID())".utf8), Data("second \(UUID())".utf8)]
            let observer = NotificationObserver(.didReceiveData) { notification in
                guard let package = notification.object as? MessagePackage, let content = package.dataPackage,
                    data.contains(content)
                else { return }
                packages.add(package)
                replies.add(notification.userInfo?[NotificationKey.reply] as? PendingReply)
            }
            let delegate = WatchSessionDelegate()
            let answers = Collector<Data>()
            delegate.session(session, didReceiveMessageData: data[0])
            delegate.session(session, didReceiveMessageData: data[1]) { answers.add($0) }
            replies.expect { $0.count == 2 }
            #expect(packages.all.map(\.dataPackage) == data)
            #expect(packages.all.map(\.wantsReply) == [false, true])
            let areExpected = replies.all.map { $0 != nil }
            #expect(areExpected == [false, true])
            let last = replies.all.last ?? nil
            let reply = try #require(last)
            reply.send(QuizAcknowledgement(nil, .undecodable))
            #expect(answers.all.count == 1)
            withExtendedLifetime(observer) {}
        }
    }
}
