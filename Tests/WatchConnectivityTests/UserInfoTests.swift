import DeviceEngine
import DeviceShell
import EventLog
import Foundation
import LinkProtocol
import LinkTransport
import Locking
import SessionStorage
import TestSupport
import Testing

@testable import WatchConnectivity

@Suite("User infos")
struct UserInfoTests {
    @Test("User infos arrive in order, both ways, and didFinish gets the same object")
    func order() throws {
        let pair = try TestPair()
        #expect(pair.connect())
        let transfers = (0..<300).map { pair.companion.session.transferUserInfo(["n": $0]) }
        #expect(pair.host.received((0..<300).map { "userInfo n=\($0)" }, "userInfo"))
        pair.companion.delegate.events.expect { $0.filter { $0.hasPrefix("finished") }.count == 300 }
        #expect(pair.companion.delegate.finishedObjects == transfers)
        #expect(transfers.filter { $0.isTransferring }.map { $0.userInfo["n"] as? Int } == [])
        #expect(pair.companion.session.outstandingUserInfoTransfers.isEmpty)
        pair.host.session.transferUserInfo(["back": true])
        #expect(pair.companion.received(["userInfo back=1"], "userInfo"))
    }

    @Test("Items queued while the counterpart is away survive restarts of both sides, and arrive once")
    func restarts() throws {
        let pair = try TestPair()
        #expect(pair.companion.activate())
        for number in 0..<5 { pair.companion.session.transferUserInfo(["n": number]) }
        #expect(
            pair.companion.session.outstandingUserInfoTransfers.map { $0.userInfo["n"] as? Int } == [0, 1, 2, 3, 4])
        #expect(pair.companion.restart())
        let restored = pair.companion.session.outstandingUserInfoTransfers
        #expect(restored.map { $0.userInfo["n"] as? Int } == [0, 1, 2, 3, 4])
        #expect(restored.map { $0.isTransferring } == [true, true, true, true, true])
        #expect(pair.host.activate())
        #expect(pair.host.received((0..<5).map { "userInfo n=\($0)" }, "userInfo"))
        pair.companion.delegate.events.expect { $0.filter { $0.hasPrefix("finished") }.count == 5 }
        #expect(pair.companion.delegate.finishedObjects == restored)
        #expect(pair.host.restart())
        pair.companion.delegate.events.expect { $0.filter { $0 == "reachable true" }.count == 2 }
        #expect(pair.host.delegate.all("userInfo").isEmpty)
    }

    @Test("A transfer whose payload is damaged on the disk fails; the session is activated, and sends the others")
    func damaged() throws {
        let pair = try TestPair()
        #expect(pair.companion.activate())
        pair.companion.session.transferUserInfo(["n": 1])
        #expect(pair.companion.end())
        let store = SessionStore(path: DeviceDirectory(pair.companion.configuration.stateDirectory).database)
        let damaged = UUID()
        _ = try store.queue(
            OutgoingTransfer(
                identifier: damaged, peer: .unknownPeer, kind: .userInfo, payload: Data("no archive".utf8),
                queuedAt: Date()))
        store.close()
        #expect(pair.companion.begin())
        #expect(pair.companion.logs(.transferFailed))
        #expect(pair.companion.session.outstandingUserInfoTransfers.map { $0.userInfo["n"] as? Int } == [1])
        let entry = try #require(try pair.companion.ledger(damaged))
        #expect(entry.state == .failed)
        #expect(entry.cause?.hasPrefix("the stored transfer is damaged: ") == true, "\(entry)")
        #expect(pair.host.activate())
        #expect(pair.host.received(["userInfo n=1"], "userInfo"))
        #expect(pair.companion.restart())
        #expect(pair.companion.count(.transferFailed) == 1)
    }

    @Test("After a clean end of a device, the last items of its delegate are recorded")
    func endsInOrder() throws {
        let pair = try TestPair()
        #expect(pair.connect())
        let gate = DispatchSemaphore(value: 0)
        let entered = Collector<Bool>()
        pair.host.delegate.onUserInfo.withLock {
            $0 = {
                entered.add(true)
                gate.wait()
            }
        }
        pair.companion.session.transferUserInfo(["n": 1])
        entered.expect { $0 == [true] }
        let left = Collector<Int>()
        let store = SessionStore(path: DeviceDirectory(pair.host.configuration.stateDirectory).database)
        pair.host.session.shutDown("test") { left.add((try? store.inboxCount()) ?? -1) }
        #expect(pair.host.logs(.peerDisconnected))
        gate.signal()
        left.expect { $0 == [0] }
    }

    @Test("A phone may queue before its watch has ever connected")
    func adoption() throws {
        let pair = try TestPair()
        #expect(pair.host.activate())
        #expect(pair.host.session.isPaired)
        pair.host.session.transferUserInfo(["early": 1])
        #expect(pair.host.session.outstandingUserInfoTransfers.count == 1)
        #expect(pair.companion.activate())
        #expect(pair.companion.received(["userInfo early=1"], "userInfo"))
        pair.host.delegate.events.expect { $0.contains("finished userInfo early=1 ok false") }
    }

    @Test("User infos in flight and the complication's budget are observable")
    func observed() throws {
        let pair = try TestPair()
        #expect(pair.connect())
        let (counts, budget) = (Collector<Int>(), Collector<Int>())
        let observations = [
            pair.host.session.observe(\.outstandingUserInfoTransfers, options: [.new]) {
                counts.add($1.newValue?.count ?? -1)
            },
            pair.host.session.observe(\.remainingComplicationUserInfoTransfers, options: [.new]) {
                budget.add($1.newValue ?? -1)
            },
        ]
        try pair.host.session.simulator.setComplicationEnabled(true, on: pair.companion.identifier)
        budget.expect { $0 == [50] }
        pair.host.session.transferCurrentComplicationUserInfo(["c": 1])
        budget.expect { $0 == [50, 49] }
        counts.expect { $0 == [1, 0] }
        for observation in observations { observation.invalidate() }
    }

    @Test("A cancelled transfer never arrives")
    func cancel() throws {
        let pair = try TestPair()
        #expect(pair.companion.activate())
        let transfers = (0..<3).map { pair.companion.session.transferUserInfo(["n": $0]) }
        transfers[1].cancel()
        #expect(!transfers[1].isTransferring)
        #expect(pair.companion.session.outstandingUserInfoTransfers == [transfers[0], transfers[2]])
        #expect(pair.host.activate())
        #expect(pair.host.received(["userInfo n=0", "userInfo n=2"], "userInfo"))
        transfers[0].cancel()
        let entry = try pair.companion.ledger(transfers[1].identifier)
        #expect(entry?.state == .failed)
        #expect(entry?.cause == "cancelled")
    }

    @Test("An item that cannot be sent ends immediately, with its code")
    func refused() throws {
        let pair = try TestPair { $0.payloads.userInfo = 1_000 }
        pair.host.session.transferUserInfo(["n": 1])
        pair.host.delegate.events.expect { $0.contains("finished userInfo n=1 7004 false") }
        #expect(pair.host.logs(.sendBeforeActivation))
        #expect(pair.host.activate())
        pair.host.session.transferUserInfo(["u": UUID()])
        pair.host.delegate.events.expect { $0.contains { $0.hasSuffix("7010 false") } }
        pair.host.session.transferUserInfo(["d": Data(count: 1_000)])
        pair.host.delegate.events.expect { $0.contains { $0.hasSuffix("7009 false") } }
        pair.host.session.transferUserInfo(["d": Data(count: 920)])
        #expect(pair.host.logs(.payloadNearLimit))
    }

    @Test("A transfer can be archived, as on Apple's platforms")
    func coding() throws {
        let pair = try TestPair()
        #expect(pair.companion.activate())
        let transfer = pair.companion.session.transferUserInfo(["n": 1])
        let data = try NSKeyedArchiver.archivedData(withRootObject: transfer, requiringSecureCoding: true)
        let copy = try #require(
            try NSKeyedUnarchiver.unarchivedObject(ofClass: WCSessionUserInfoTransfer.self, from: data))
        #expect(copy.userInfo["n"] as? Int == 1)
        #expect(!copy.isTransferring)
    }

    @Test("Complication transfers are sent first; only the latest is current; after fifty a day they are plain")
    func complication() throws {
        let pair = try TestPair()
        #expect(pair.connect())
        let watch = pair.companion.identifier
        #expect(pair.host.session.remainingComplicationUserInfoTransfers == 0)
        #expect(!pair.host.session.transferCurrentComplicationUserInfo(["plain": 1]).isCurrentComplicationInfo)
        #expect(pair.companion.received(["userInfo plain=1"], "userInfo"))
        try pair.host.session.simulator.setComplicationEnabled(true, on: watch)
        #expect(pair.host.session.isComplicationEnabled)
        #expect(pair.host.session.remainingComplicationUserInfoTransfers == 50)
        pair.companion.session.simulator.setLinkUp(false)
        pair.host.delegate.events.expect { $0.last { $0.hasPrefix("reachable") } == "reachable false" }
        pair.host.session.transferUserInfo(["n": 1])
        let first = pair.host.session.transferCurrentComplicationUserInfo(["c": 1])
        #expect(first.isCurrentComplicationInfo)
        let second = pair.host.session.transferCurrentComplicationUserInfo(["c": 2])
        #expect(second.isCurrentComplicationInfo)
        #expect(!first.isCurrentComplicationInfo)
        #expect(pair.host.session.remainingComplicationUserInfoTransfers == 48)
        pair.companion.session.simulator.setLinkUp(true)
        #expect(
            pair.companion.received(["userInfo plain=1", "userInfo c=2", "userInfo n=1", "userInfo c=1"], "userInfo"))
        for _ in 0..<48 { pair.host.session.transferCurrentComplicationUserInfo(["c": 3]) }
        #expect(pair.host.session.remainingComplicationUserInfoTransfers == 0)
        #expect(!pair.host.session.transferCurrentComplicationUserInfo(["c": 4]).isCurrentComplicationInfo)
        #expect(pair.host.restart())
        #expect(pair.host.session.remainingComplicationUserInfoTransfers == 0)
    }

    @Test("A delegate without the method, or without didFinish, is reported in the log")
    func missing() throws {
        final class Bare: NSObject, WCSessionDelegate, Sendable {
            func session(
                _ session: WCSession, activationDidCompleteWith state: WCSessionActivationState, error: (any Error)?
            ) {}
        }
        let pair = try TestPair()
        #expect(pair.connect())
        let bare = Bare()
        pair.host.session.delegate = bare
        pair.companion.session.delegate = bare
        pair.companion.session.transferUserInfo(["n": 1])
        #expect(pair.host.logs(.delegateMethodMissing))
        #expect(pair.companion.logs(.outcomeUnheard))
        withExtendedLifetime(bare) {}
    }

    @Test("Without a delegate everything waits, and setting it late is logged")
    func lateDelegate() throws {
        let pair = try TestPair()
        #expect(pair.connect())
        pair.host.session.delegate = nil
        pair.companion.session.transferUserInfo(["n": 1])
        #expect(pair.companion.received(["finished userInfo n=1 ok false"], "finished"))
        #expect(pair.host.session.hasContentPending)
        pair.host.session.delegate = pair.host.delegate
        #expect(pair.host.logs(.delegateAfterActivation))
        #expect(pair.host.received(["userInfo n=1"], "userInfo"))
        let never = WCSession(configuration: pair.companion.configuration)
        never.activate()
        #expect(never.activationState == .notActivated)
    }
}
