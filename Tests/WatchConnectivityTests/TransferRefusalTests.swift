import DeviceEngine
import DeviceShell
import EventLog
import Foundation
import LinkProtocol
import SessionStorage
import TestSupport
import Testing

@testable import WatchConnectivity

@Suite("Background transfers that are refused")
struct TransferRefusalTests {
    private let scratch: Scratch

    init() throws { scratch = try Scratch() }

    /// Queues a context, a user info and a file, and waits until each is refused with a code.
    private func expectRefusal(_ device: TestDevice, with code: Int) throws {
        let error = #expect(throws: WCError.self) { try device.session.updateApplicationContext(["n": 1]) }
        #expect(error?.code.rawValue == code)
        #expect(device.session.applicationContext.isEmpty)
        device.session.transferUserInfo(["n": 1])
        device.delegate.events.expect { $0.contains("finished userInfo n=1 \(code) false") }
        let file = try scratch.write("f", "text")
        device.session.transferFile(URL(filePath: file), metadata: nil)
        device.delegate.events.expect { $0.contains("finished file f \(code)") }
        #expect(device.session.outstandingUserInfoTransfers == [])
        #expect(device.session.outstandingFileTransfers == [])
    }

    @Test("A phone that pairs no watch by itself sends nothing before one is paired")
    func noWatch() throws {
        let device = TestDevice(.host, in: scratch) { $0.companions.pairing = .manual }
        #expect(device.activate())
        try expectRefusal(device, with: 7005)
    }

    @Test("A process that is no device has no watch to send to")
    func noDevice() {
        let core = WCSession().core
        let error = #expect(throws: WCError.self) { try core.companion(nil) }
        #expect(error?.code.rawValue == 7002)
    }

    @Test("A watch sends nothing to a phone without the app")
    func noPhoneApp() throws {
        let pair = try TestPair()
        #expect(pair.connect())
        pair.host.session.simulator.setAppInstalled(false)
        pair.companion.delegate.events.expect { $0.contains("companion app false") }
        try expectRefusal(pair.companion, with: 7018)
    }

    @Test("A session that has ended sends nothing")
    func ended() throws {
        let device = TestDevice(.host, in: scratch)
        #expect(device.activate())
        #expect(device.end())
        let error = #expect(throws: WCError.self) { try device.session.updateApplicationContext(["n": 1]) }
        #expect(error?.code.rawValue == 7004)
    }

    @Test("A session whose delegate is gone sends nothing")
    func noDelegate() throws {
        let device = TestDevice(.host, in: scratch)
        #expect(device.activate())
        device.session.delegate = nil
        let error = #expect(throws: WCError.self) { try device.session.updateApplicationContext(["n": 1]) }
        #expect(error?.code.rawValue == 7003)
        #expect(device.session.applicationContext.isEmpty)
    }

    @Test("What cannot be stored is refused, with the reason")
    func unstorable() throws {
        let device = TestDevice(.host, in: scratch)
        #expect(device.activate())
        try device.session.simulator.setDisk(.full)
        try expectRefusal(device, with: 7001)
        let error = #expect(throws: WCError.self) { try device.session.updateApplicationContext(["n": 2]) }
        let reason = error?.reason ?? ""
        #expect(reason.hasPrefix("the transfer could not be stored: "), "\(reason)")
        try device.session.simulator.setDisk(.none)
    }

    @Test("As many transfers wait as there is room for, and one more is refused with the number")
    func noRoom() throws {
        let device = TestDevice(.host, in: scratch)
        #expect(device.activate())
        let objects = device.session.core.objects
        for number in 1..<SessionStore.outgoingCapacity {
            let info = WCSessionUserInfoTransfer(
                identifier: UUID(), userInfo: [:], payload: nil, isCurrentComplicationInfo: false
            ) { _ in }
            objects.add(.userInfo(info), peer: .unknownPeer, position: Int64(number))
        }
        let last = device.session.transferUserInfo(["n": 1])
        #expect(last.isTransferring)
        let surplus = device.session.transferUserInfo(["n": 2])
        #expect(!surplus.isTransferring)
        device.delegate.events.expect { $0.contains("finished userInfo n=2 7015 false") }
        let cause = try device.ledger(surplus.identifier)?.cause ?? ""
        #expect(cause.hasSuffix(": \(SessionStore.outgoingCapacity) transfers are already waiting"), "\(cause)")
    }

    @Test("A refused user info is none for the complication, and can be archived with its content")
    func refusedObject() throws {
        let device = TestDevice(.host, in: scratch)
        let transfer = device.session.transferCurrentComplicationUserInfo(["n": 1])
        #expect(!transfer.isTransferring)
        #expect(!transfer.isCurrentComplicationInfo)
        let data = try NSKeyedArchiver.archivedData(withRootObject: transfer, requiringSecureCoding: true)
        let copy = try #require(
            try NSKeyedUnarchiver.unarchivedObject(ofClass: WCSessionUserInfoTransfer.self, from: data))
        #expect(copy.userInfo["n"] as? Int == 1)
        #expect(!copy.isCurrentComplicationInfo)
    }

    @Test(
        "A fault of the app fails a transfer of the kind that it names",
        arguments: [AppFault.Attempt.userInfo, .file])
    func fault(_ attempt: AppFault.Attempt) throws {
        let device = TestDevice(.host, in: scratch)
        #expect(device.activate())
        device.session.simulator.inject(AppFault(.fail(attempt, .deliveryFailed)))
        let file = try scratch.write("f", "text")
        device.session.transferUserInfo(["n": 1])
        device.session.transferFile(URL(filePath: file), metadata: nil)
        let event = attempt == .file ? "finished file f 7014" : "finished userInfo n=1 7014 false"
        device.delegate.events.expect { $0.contains(event) }
        #expect(device.delegate.all("finished") == [event])
    }

    @Test(
        "A file's metadata may be as large as a user info, whatever the limit of a message is",
        arguments: [true, false])
    func metadata(isMessageLimited: Bool) throws {
        let device = TestDevice(.host, in: scratch) { configuration in
            if isMessageLimited {
                configuration.payloads.message = 1_000
            } else {
                configuration.payloads.userInfo = 1_000
            }
        }
        #expect(device.activate())
        let file = try scratch.write("f", "text")
        let transfer = device.session.transferFile(URL(filePath: file), metadata: ["d": Data(count: 2_000)])
        #expect(transfer.isTransferring == isMessageLimited)
    }
}
