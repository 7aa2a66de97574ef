import Foundation
import LinkProtocol
import TestSupport
import Testing

@testable import WatchConnectivity

@Suite("The transfers that an application sees")
struct TransferObjectsTests {
    private let objects = TransferObjects()
    private let changes = Collector<TransferObjects.Property>()
    private let first = UUID()
    private let second = UUID()

    init() { objects.start { [changes] in changes.add($0) } }

    private func info(isCurrent: Bool = false, isTransferring: Bool = true) -> WCSessionUserInfoTransfer {
        WCSessionUserInfoTransfer(
            identifier: UUID(), userInfo: [:], payload: nil, isCurrentComplicationInfo: isCurrent,
            isTransferring: isTransferring
        ) { _ in }
    }

    private func file() -> WCSessionFileTransfer {
        WCSessionFileTransfer(
            identifier: UUID(), file: WCSessionFile(fileURL: URL(filePath: "/f"), metadata: nil), size: 1
        ) { _ in }
    }

    @Test("Those of one counterpart and kind are in the order of their positions, as long as they are under way")
    func order() {
        let infos = (0..<4).map { _ in info() }
        for (position, place) in [(4, 0), (2, 1), (3, 2), (1, 3)] {
            objects.add(.userInfo(infos[place]), peer: first, position: Int64(position))
        }
        let other = info()
        objects.add(.userInfo(other), peer: second, position: 5)
        let sent = file()
        objects.add(.file(sent), peer: first, position: 6)
        #expect(objects.userInfos(first) == [infos[3], infos[1], infos[2], infos[0]])
        #expect(objects.userInfos(second) == [other])
        #expect(objects.files(first) == [sent])
        #expect(objects.files(second) == [])
        #expect(objects.count == 6)
        #expect(changes.all == [.userInfos, .userInfos, .userInfos, .userInfos, .userInfos, .files])
    }

    @Test("One that has ended is kept until it is removed, but no longer under way; each change is told once")
    func ended() {
        let sent = info()
        objects.add(.userInfo(sent), peer: first, position: 1)
        for _ in 1...2 {
            let object = objects.end(sent.identifier)
            #expect(object?.identifier == sent.identifier)
            #expect(!sent.isTransferring)
            #expect(objects.userInfos(first) == [])
            #expect(objects.count == 1)
        }
        objects.remove(sent.identifier)
        #expect(objects.count == 0)
        let none = objects.end(sent.identifier)
        #expect(none == nil)
        #expect(changes.all == [.userInfos, .userInfos])
    }

    @Test("One that is removed while it is under way ends, which is told")
    func removed() {
        let sent = file()
        objects.add(.file(sent), peer: first, position: 1)
        objects.remove(sent.identifier)
        #expect(!sent.isTransferring)
        #expect(changes.all == [.files, .files])
    }

    @Test("What ended in an earlier run is kept without being under way")
    func earlier() {
        objects.add(.userInfo(info(isTransferring: false)), peer: first, position: 1)
        objects.add(nil, peer: first, position: 2)
        #expect(objects.count == 1)
        #expect(objects.userInfos(first) == [])
        #expect(changes.all == [])
    }

    @Test("Only the latest for the complication of a counterpart is current; plain ones change nothing")
    func complication() {
        let (former, ofOther, newer) = (info(isCurrent: true), info(isCurrent: true), info(isCurrent: true))
        let plain = info()
        objects.add(.userInfo(former), peer: first, position: 1)
        objects.add(.userInfo(ofOther), peer: second, position: 2)
        objects.add(.userInfo(plain), peer: first, position: 3)
        objects.add(.file(file()), peer: first, position: 4)
        #expect(former.isCurrentComplicationInfo)
        objects.add(.userInfo(newer), peer: first, position: 5)
        #expect(!former.isCurrentComplicationInfo)
        #expect(ofOther.isCurrentComplicationInfo)
        #expect(!plain.isCurrentComplicationInfo)
        #expect(newer.isCurrentComplicationInfo)
    }

    @Test("What waits for the first watch, and its context, is assigned to it; nothing else is")
    func adopted() {
        let (waiting, other) = (info(), info())
        objects.add(.userInfo(waiting), peer: .unknownPeer, position: 1)
        objects.add(.userInfo(other), peer: second, position: 2)
        objects.setSentContext(Data([1]), .unknownPeer)
        objects.setSentContext(Data([2]), second)
        objects.adopt(first)
        #expect(objects.userInfos(first) == [waiting])
        #expect(objects.userInfos(second) == [other])
        #expect(objects.userInfos(.unknownPeer) == [])
        #expect(objects.sentContext(first) == Data([1]))
        #expect(objects.sentContext(second) == Data([2]))
        #expect(objects.sentContext(.unknownPeer) == nil)
        // Without a waiting context that of the watch stays.
        objects.adopt(second)
        #expect(objects.sentContext(second) == Data([2]))
    }

    @Test("Contexts are kept by counterpart and direction, and each change is told")
    func contexts() {
        objects.setSentContext(Data([1]), first)
        objects.setReceivedContext(Data([2]), first)
        #expect(objects.sentContext(first) == Data([1]))
        #expect(objects.receivedContext(first) == Data([2]))
        #expect(objects.sentContext(second) == nil)
        #expect(objects.receivedContext(second) == nil)
        objects.setSentContext(nil, first)
        #expect(objects.sentContext(first) == nil)
        #expect(objects.receivedContext(first) == Data([2]))
        #expect(changes.all == [.sentContext, .receivedContext, .sentContext])
    }
}
