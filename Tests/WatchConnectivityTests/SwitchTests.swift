import Configuration
import DeviceEngine
import DeviceShell
import EventLog
import Foundation
import LinkProtocol
import Locking
import TestSupport
import Testing

@testable import SessionStorage
@testable import Storage
@testable import WatchConnectivity

@Suite("Several watches")
struct SwitchTests {
    /// A phone and two watches, the first of which is active.
    private struct Three {
        let scratch: Scratch
        let host: TestDevice
        let first: TestDevice
        let second: TestDevice

        init(_ configure: (inout DeviceConfiguration) -> Void = { _ in }) throws {
            scratch = try Scratch()
            host = TestDevice(.host, in: scratch, configure)
            first = TestDevice(.companion, in: scratch, name: "first")
            second = TestDevice(.companion, in: scratch, name: "second")
        }

        func connect() -> Bool {
            host.activate() && first.activate() && first.delegate.events.expect { $0.contains("reachable true") }
                && second.activate() && host.log.expect { $0.filter { $0.event == .companionChanged }.count == 2 }
        }
    }

    @Test("A switch becomes inactive, deactivated, activated, and items of the former watch still arrive")
    func switching() throws {
        let three = try Three()
        #expect(three.connect())
        #expect(!three.second.session.isReachable)
        let firstDirectory = try #require(three.host.session.watchDirectoryURL)
        #expect(FileManager.default.fileExists(atPath: firstDirectory.path(percentEncoded: false)))
        three.second.session.transferUserInfo(["from": "second"])
        three.first.session.transferUserInfo(["from": "first"])
        #expect(three.host.received(["userInfo from=first"], "userInfo"))
        try three.host.session.simulator.switchTo(three.second.identifier)
        three.host.delegate.events.expect { $0.contains("userInfo from=second") }
        let order = three.host.delegate.events.all.filter { $0.contains("activ") }
        #expect(order == ["activated 2 ok", "inactive 1", "deactivated 0", "activated 2 ok"])
        #expect(three.host.session.watchDirectoryURL != firstDirectory)
        three.second.delegate.events.expect { $0.contains("reachable true") }
        three.first.delegate.events.expect { $0.contains("reachable false") }
        #expect(three.first.session.activationState == .activated)
        three.host.session.transferUserInfo(["to": "second"])
        #expect(three.second.received(["userInfo to=second"], "userInfo"))
        #expect(three.first.delegate.all("userInfo").isEmpty)
    }

    @Test("The session's properties of its watch are observable, and only when they change")
    func watchState() throws {
        let three = try Three()
        let seen = Collector<String>()
        let observations = [
            three.host.session.observe(\.isWatchAppInstalled, options: [.old, .new]) { _, change in
                seen.add("app \(change.oldValue ?? false) \(change.newValue ?? false)")
            },
            three.host.session.observe(\.isPaired, options: [.new]) { _, change in
                seen.add("paired \(change.newValue ?? false)")
            },
        ]
        #expect(three.connect())
        let (first, second) = (three.first.identifier, three.second.identifier)
        try three.host.session.simulator.setAppInstalled(false, on: second)
        try three.host.session.simulator.setAppInstalled(false, on: first)
        try three.host.session.simulator.setAppInstalled(true, on: first)
        try three.host.session.simulator.unpair(first)
        seen.expect {
            $0 == [
                // The activation provides the session's watch properties.
                "paired true", "app false true",
                "app true false", "app false true", "paired false", "app true false",
            ]
        }
        // The delegate reads the state at the time of the call.
        three.host.delegate.events.expect { $0.filter { $0.hasPrefix("watch") }.count == 4 }
        #expect(three.host.delegate.all("watch").last == "watch paired=false app=false")
        for observation in observations { observation.invalidate() }
    }

    @Test(
        "A watch that removes its app appears to the phone as one without the app, until it is installed again")
    func removedOnWatch() throws {
        let pair = try TestPair()
        #expect(!pair.host.session.isWatchAppInstalled)
        #expect(!pair.host.session.isPaired)
        #expect(pair.connect())
        #expect(pair.host.session.isWatchAppInstalled)
        #expect(pair.host.session.isPaired)
        pair.companion.session.simulator.setAppInstalled(false)
        pair.host.delegate.events.expect { $0.last { $0.hasPrefix("watch") } == "watch paired=true app=false" }
        #expect(!pair.host.session.isWatchAppInstalled)
        #expect(!pair.host.session.isReachable)
        let ends = Collector<Int>()
        pair.host.session.sendMessage(["n": 1]) { _ in
            ends.add(0)
        } errorHandler: {
            ends.add(($0 as NSError).code)
        }
        ends.expect { $0 == [7006] }
        #expect(throws: WCError.self) { try pair.host.session.updateApplicationContext(["n": 1]) }
        pair.host.session.transferUserInfo(["n": 1])
        pair.host.delegate.events.expect { $0.contains("finished userInfo n=1 7006 false") }
        #expect(pair.companion.delegate.all("message").isEmpty)
        pair.companion.session.simulator.setAppInstalled(true)
        pair.host.delegate.events.expect { $0.last { $0.hasPrefix("watch") } == "watch paired=true app=true" }
        pair.host.session.sendMessage(["n": 2]) { _ in ends.add(0) }
        ends.expect { $0 == [7006, 0] }
    }

    @Test("Items pending for a watch fail when it removes the app; a watch that connects without it is recognised")
    func removedAway() throws {
        let pair = try TestPair()
        #expect(pair.connect())
        pair.companion.session.simulator.setLinkUp(false)
        pair.host.delegate.events.expect { $0.last { $0.hasPrefix("reachable") } == "reachable false" }
        pair.host.session.transferUserInfo(["n": 1])
        pair.companion.session.simulator.setAppInstalled(false)
        #expect(pair.host.session.isWatchAppInstalled)
        pair.companion.session.simulator.setLinkUp(true)
        pair.host.delegate.events.expect { $0.contains("finished userInfo n=1 7006 false") }
        #expect(!pair.host.session.isWatchAppInstalled)
    }

    @Test("Items that arrived before a switch are delivered before the deactivation; messages in flight fail")
    func draining() throws {
        let three = try Three()
        #expect(three.connect())
        // Both delegates hold a user info until the gate is opened.
        let gate = DispatchSemaphore(value: 0)
        let entered = Collector<Bool>()
        for device in [three.host, three.first] {
            device.delegate.onUserInfo.withLock {
                $0 = {
                    entered.add(true)
                    gate.wait()
                }
            }
        }
        three.host.session.transferUserInfo(["to": "first"])
        for number in 1...3 { three.first.session.transferUserInfo(["n": number]) }
        #expect(three.host.logs(.transferFinished))
        entered.expect { $0.count == 2 }
        three.host.log.expect { $0.filter { $0.event == .transferReceived }.count == 3 }
        let failures = Collector<Int>()
        three.host.session.sendMessage(["n": 1]) { _ in
        } errorHandler: { error in
            failures.add((error as NSError).code)
        }
        try three.host.session.simulator.switchTo(three.second.identifier)
        #expect(three.host.session.activationState == .inactive)
        three.host.session.transferUserInfo(["n": 4])
        for _ in 1...4 { gate.signal() }
        three.host.delegate.events.expect { $0.filter { $0 == "activated 2 ok" }.count == 2 }
        let events = three.host.delegate.events.all.prefix { $0 != "deactivated 0" }
        #expect(events.filter { $0.hasPrefix("userInfo") } == (1...3).map { "userInfo n=\($0)" })
        failures.expect { $0 == [7016] }
        three.host.delegate.events.expect { $0.contains("finished userInfo n=4 7016 false") }
    }

    @Test("An app that does not activate again stays without a session, and is notified")
    func notReactivated() throws {
        let three = try Three()
        #expect(three.connect())
        three.host.delegate.onDeactivate.withLock { $0 = { _ in } }
        try three.host.session.simulator.switchTo(three.second.identifier)
        three.host.delegate.events.expect { $0.contains("deactivated 0") }
        three.host.session.transferUserInfo(["n": 1])
        three.host.delegate.events.expect { $0.contains("finished userInfo n=1 7004 false") }
        #expect(three.host.logs(.notReactivated))
        three.host.session.activate()
        three.second.delegate.events.expect { $0.contains("reachable true") }
    }

    @Test("A host may serve all its watches at the same time, each with a separate session")
    func all() throws {
        let three = try Three { $0.companions.serving = .all }
        #expect(three.connect())
        three.second.delegate.events.expect { $0.contains("reachable true") }
        three.first.session.transferUserInfo(["n": 1])
        three.second.session.transferUserInfo(["n": 2])
        three.host.delegate.events.expect { $0.contains("userInfofirst n=1") && $0.contains("userInfosecond n=2") }
        let replies = Collector<String>()
        three.second.session.sendMessage(["n": 3]) { _ in replies.add("reply") }
        replies.expect { $0 == ["reply"] }
        #expect(three.host.delegate.events.all.contains("messagesecond n=3"))
    }

    @Test(
        "A host with the maximum of watches reports it to new ones and in pairing errors, and admits one when one is unpaired"
    )
    func full() throws {
        let scratch = try Scratch()
        let (host, companion) = (TestDevice(.host, in: scratch), TestDevice(.companion, in: scratch))
        let directory = DeviceDirectory(scratch.path("host"))
        try PrivateDirectory.create(directory.path)
        let store = SessionStore(path: directory.database)
        try store.file.use { database throws(DatabaseError) in
            try database.execute(
                """
                WITH RECURSIVE numbers(number) AS
                (SELECT 1 UNION ALL SELECT number + 1 FROM numbers WHERE number < \(LinkLimits.companions))
                INSERT INTO companions SELECT randomblob(16), 'watch', 1, 1, 0, 0, 0, 0 FROM numbers
                """)
        }
        let known = try #require(try store.companions().last?.companion.identifier)
        store.close()
        #expect(host.activate())
        #expect(companion.activate())
        host.log.expect { $0.contains { "\($0.fields)".contains("already has 10000 watches") } }
        #expect(throws: PairingError.full) { try host.session.simulator.pair(companion.identifier) }
        #expect(!companion.session.isReachable)
        try host.session.simulator.unpair(known)
        companion.delegate.events.expect { $0.contains("reachable true") }
        // A new watch is reachable before its record is written; an end waits for pending writes.
        #expect(host.end())
        let kept = try store.companions().count
        #expect(kept == LinkLimits.companions)
    }

    @Test("An unpaired watch is not admitted again, its transfers fail, and its directory is removed at the next start")
    func unpair() throws {
        let three = try Three()
        #expect(three.connect())
        let directory = try #require(three.host.session.watchDirectoryURL)
        #expect(three.first.end())
        three.host.session.transferUserInfo(["n": 1])
        try three.host.session.simulator.unpair(three.first.identifier)
        three.host.delegate.events.expect { $0.contains("finished userInfo n=1 7005 false") }
        #expect(three.host.session.watchDirectoryURL == nil)
        three.first.session.activate()
        #expect(three.host.restart())
        #expect(!FileManager.default.fileExists(atPath: directory.path(percentEncoded: false)))
        try three.host.session.simulator.switchTo(three.second.identifier)
        three.second.delegate.events.expect { $0.last { $0.hasPrefix("reachable") } == "reachable true" }
        #expect(throws: PairingError.notPaired(three.first.identifier)) {
            try three.host.session.simulator.switchTo(three.first.identifier)
        }
    }

    @Test("A watch unpaired while the disk was full is unpaired after a restart")
    func unpairedOnFullDisk() throws {
        let pair = try TestPair()
        #expect(pair.connect())
        let watch = pair.companion.identifier
        try pair.host.session.simulator.setDisk(.full)
        try pair.host.session.simulator.unpair(watch)
        pair.host.log.expect { $0.contains { $0.event == .databaseUnavailable } }
        try pair.host.session.simulator.setDisk(.none)
        #expect(pair.companion.end())
        #expect(pair.host.restart())
        #expect(pair.host.session.simulator.companions.map(\.isPaired) == [false])
    }

    @Test("A removed state directory is not recreated by the next watch")
    func directoryGone() throws {
        let pair = try TestPair()
        #expect(pair.host.activate())
        let path = pair.host.configuration.stateDirectory
        try FileManager.default.removeItem(atPath: path)
        try pair.host.session.simulator.pair(UUID())
        #expect(pair.host.logs(.fileSystemFailed))
        #expect(!FileManager.default.fileExists(atPath: path))
    }
}
