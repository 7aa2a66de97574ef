import DeviceShell
import EventLog
import Foundation
import LinkProtocol
import Locking
import TestSupport
import Testing

@testable import WatchConnectivity

@Suite("Faults that an app sees")
struct AppFaultsTests {
    private func inject(_ device: TestDevice, _ text: String) throws {
        try device.session.simulator.apply(try FaultDeed(words: text.split(separator: " ").map(String.init)))
    }

    private func end(_ session: WCSession, _ number: Int, _ ends: Collector<Int>) {
        session.sendMessage(["n": number]) { _ in
            ends.add(0)
        } errorHandler: {
            ends.add(($0 as NSError).code)
        }
    }

    @Test("Every kind may be delivered twice; duplicates on the wire are removed")
    func duplicates() throws {
        let pair = try TestPair()
        #expect(pair.connect())
        for kind in ["message", "context", "user-info", "file"] {
            try inject(pair.host, "duplicate \(kind) at-app times=1")
            try inject(pair.companion, "duplicate \(kind)")
        }
        let file = URL(filePath: pair.scratch.path("f"))
        try Data(count: 10).write(to: file)
        pair.host.delegate.fileTarget.withLock { $0 = URL(filePath: pair.scratch.path("target")) }
        let ends = Collector<Int>()
        for number in 1...2 {
            end(pair.companion.session, number, ends)
            ends.expect { $0.count == number }
            try pair.companion.session.updateApplicationContext(["n": number])
            pair.companion.session.transferUserInfo(["n": number])
            pair.companion.session.transferFile(file, metadata: ["n": number])
            for kind in ["context n=", "userInfo n=", "file f 10 n="] {
                pair.host.delegate.events.expect { $0.contains("\(kind)\(number)") }
            }
        }
        #expect(ends.all == [0, 0])
        #expect(pair.host.delegate.all("message") == ["message n=1", "message n=1", "message n=2"])
        #expect(pair.host.delegate.all("context") == ["context n=1", "context n=1", "context n=2"])
        #expect(pair.host.delegate.all("userInfo") == ["userInfo n=1", "userInfo n=1", "userInfo n=2"])
        #expect(pair.host.delegate.all("file") == ["file f 10 n=1", "file f 10 n=1", "file f 10 n=2"])
        #expect(pair.host.count(.replyRepeated) == 0)
    }

    @Test("After a context the one before it may be delivered again; the property keeps the newest")
    func replay() throws {
        let pair = try TestPair()
        #expect(pair.connect())
        try inject(pair.host, "replay context nth=2")
        for number in 1...3 {
            try pair.companion.session.updateApplicationContext(["n": number])
            pair.host.delegate.events.expect { $0.contains("context n=\(number)") }
        }
        #expect(pair.host.received(["context n=1", "context n=2", "context n=3", "context n=2"], "context"))
        #expect(pair.host.session.receivedApplicationContext["n"] as? Int == 3)
    }

    @Test("Every operation may fail with any error", arguments: WCError.Code.allCases)
    func fails(_ code: WCError.Code) throws {
        let pair = try TestPair()
        #expect(pair.companion.activate())
        for kind in ["message", "context", "user-info nth=2", "file"] {
            try inject(pair.companion, "fail \(kind) with=\(code.rawValue)")
        }
        let session = pair.companion.session
        do {
            try session.updateApplicationContext(["n": 1])
            Issue.record("the context was taken")
        } catch {
            #expect((error as? WCError)?.code == code)
        }
        #expect(session.applicationContext.isEmpty)
        let file = URL(filePath: pair.scratch.path("f"))
        try Data(count: 10).write(to: file)
        let transfers = (1...3).map { session.transferUserInfo(["n": $0]) }
        session.transferFile(file, metadata: nil)
        pair.companion.delegate.events.expect { $0.contains("finished userInfo n=2 \(code.rawValue) false") }
        pair.companion.delegate.events.expect { $0.contains("finished file f \(code.rawValue)") }
        #expect(session.outstandingUserInfoTransfers == [transfers[0], transfers[2]])
        #expect(pair.host.activate())
        #expect(pair.host.received(["userInfo n=1", "userInfo n=3"], "userInfo"))
        pair.host.delegate.events.expect { $0.contains("reachable true") }
        let ends = Collector<Int>()
        end(session, 1, ends)
        ends.expect { $0 == [code.rawValue] }
        #expect(pair.host.delegate.all("message").isEmpty)
        #expect(pair.host.delegate.all("file").isEmpty)
    }

    @Test("Both tables of errors are equal")
    func codes() {
        #expect(SessionErrorCode.allCases.map(\.rawValue) == WCError.Code.allCases.map(\.rawValue))
        #expect(SessionErrorCode.allCases.map { "\($0)" } == WCError.Code.allCases.map { "\($0)" })
    }

    @Test("The environment can make a session's first activation slow, and fail with any error")
    func activation() throws {
        let scratch = try Scratch()
        let environment = [
            "WATCHLINK_ROLE": "host", "WATCHLINK_SOCKET": scratch.path("link"),
            "WATCHLINK_FAULTS": "fail activation with=watchOnlyApp times=1; slow isPaired by=20ms;drop reply",
        ]
        var configuration = try #require(try DeviceConfiguration(environment: environment))
        configuration.logger = .silent
        #expect(configuration.faults.count == 1)
        #expect(configuration.appFaults.count == 2)
        let (session, delegate) = (WCSession(configuration: configuration), RecordingDelegate())
        session.delegate = delegate
        session.activate()
        delegate.events.expect { $0 == ["activated 0 7019"] }
        session.activate()
        delegate.events.expect { $0 == ["activated 0 7019", "activated 2 ok"] }
        let begin = ContinuousClock.now
        _ = session.isPaired
        #expect(ContinuousClock.now - begin >= .milliseconds(20))
        for wrong in ["fail activation", "disk full", "drop everything"] {
            #expect(throws: DeviceConfiguration.EnvironmentError.self) {
                try DeviceConfiguration(environment: environment.merging(["WATCHLINK_FAULTS": wrong]) { $1 })
            }
        }
    }

    @Test("The environment enables random faults; an unknown name is answered with the allowed ones")
    func hazards() throws {
        let scratch = try Scratch()
        let environment = ["WATCHLINK_ROLE": "host", "WATCHLINK_SOCKET": scratch.path("link")]
        func configuration(_ hazards: String) throws -> DeviceConfiguration? {
            try DeviceConfiguration(environment: environment.merging(["WATCHLINK_HAZARDS": hazards]) { $1 })
        }
        let all = try #require(try configuration(DeviceHazard.ofSession.map(\.rawValue).joined(separator: ",")))
        #expect(all.condition.outgoing.distribution == .spikes)
        #expect(all.condition.outgoing.jitter > .zero)
        #expect(all.faults.map(\.effect.name) == ["lose", "drop", "drop", "delay"])
        #expect(all.appFaults.count == AppFault.Content.allCases.count)
        #expect(all.switchesWatches)
        // No fault is certain: a decision can always be negative.
        let selections = all.faults.map(\.selection) + all.appFaults.map(\.selection)
        #expect(selections.filter { $0.probability >= 1 } == [])
        for none in ["", ","] {
            let configuration = try #require(try configuration(none))
            #expect(configuration.faults.isEmpty)
            #expect(configuration.condition == LinkCondition())
            #expect(!configuration.switchesWatches)
        }
        for wrong in ["fire", "loss,fire", "Loss", "loss answers", "disk", "clock"] {
            let error = #expect(throws: DeviceConfiguration.EnvironmentError.self) { try configuration(wrong) }
            let text = error?.description ?? ""
            #expect(text.contains("must be one of loss, slowness, answers, deliveries, duplicates, switches"))
            #expect(text.hasPrefix("WATCHLINK_HAZARDS: "))
        }
    }

    @Test("The environment names the hints that are failures; an unknown name is answered with the allowed ones")
    func hints() throws {
        let scratch = try Scratch()
        let environment = ["WATCHLINK_ROLE": "host", "WATCHLINK_SOCKET": scratch.path("link")]
        func hints(_ text: String) throws -> Set<Hint>? {
            try DeviceConfiguration(environment: environment.merging(["WATCHLINK_HINTS": text]) { $1 })?.failingHints
        }
        #expect(try DeviceConfiguration(environment: environment)?.failingHints == [])
        #expect(try hints("") == [])
        #expect(try hints("all") == Set(Hint.allCases))
        #expect(try hints(Hint.allCases.map(\.word).joined(separator: ",")) == Set(Hint.allCases))
        #expect(try hints("file-not-moved,outcome-unheard") == [.fileNotMoved, .outcomeUnheard])
        for wrong in ["fire", "file not moved", "all,file-not-moved", "None"] {
            let error = #expect(throws: DeviceConfiguration.EnvironmentError.self) { try hints(wrong) }
            let text = error?.description ?? ""
            #expect(text.hasPrefix("WATCHLINK_HINTS: hint: “"), "\(text)")
            #expect(text.contains("must be one of all, delegate-set-after-activation, "), "\(text)")
        }
    }

    @Test("So does a configuration file, with the line of an error")
    func file() throws {
        let scratch = try Scratch()
        let path = try scratch.write(
            "phone.json5",
            "{ device: { role: \"host\" }, link: { faults: [\"fail activation with=7001\", \"reachability never\"] } }")
        let configuration = try DeviceConfiguration(file: path)
        #expect(configuration.appFaults == [AppFault(.fail(.activation, .genericError))])
        #expect(configuration.reachabilityFault.idea == .never)
        #expect(configuration.faultTexts == ["fail activation with=genericError", "reachability never"])
        let wrong = try scratch.write(
            "wrong.json5", "{ device: { role: \"host\" },\n link: { faults: [\"explode\"] } }")
        do {
            _ = try DeviceConfiguration(file: wrong)
            Issue.record("a fault of nothing was taken")
        } catch {
            #expect("\(error)".contains("wrong.json5:2"), "\(error)")
            #expect("\(error)".contains("explode"), "\(error)")
        }
    }

    @Test("The reader of a slow property waits; others, and the link, do not")
    func slow() throws {
        let pair = try TestPair()
        #expect(pair.connect())
        try inject(pair.companion, "slow isReachable by=30ms times=1")
        var begin = ContinuousClock.now
        #expect(pair.companion.session.activationState == .activated)
        #expect(pair.companion.session.isReachable)
        #expect(ContinuousClock.now - begin >= .milliseconds(30))
        #expect(pair.companion.count(.faultInjected) == 1)
        begin = .now
        #expect(pair.companion.session.isReachable)
        #expect(pair.companion.count(.faultInjected) == 1)
    }
}
