import Foundation
import TestSupport
import Testing
import WatchLinkTesting

@Suite("Expectations over the ledgers of a pair", .serialized)
struct ExpectationTests {
    private let phoneApp = RecordingDelegate()
    private let watchApp = RecordingDelegate()

    private func pair() async throws -> SimulatedPair {
        let pair = try SimulatedPair()
        try await pair.start(phone: phoneApp, watch: watchApp)
        return pair
    }

    @Test("Each content is awaited until it is where it is expected")
    func contents() async throws {
        let scratch = try Scratch()
        let pair = try await pair()
        let session = pair.phone.session
        session.sendMessage(["n": 1], replyHandler: nil)
        session.sendMessageData(Data([1]), replyHandler: { _ in })
        try session.updateApplicationContext(["n": 1])
        for number in 1...3 { session.transferUserInfo(["n": number]) }
        session.transferFile(URL(filePath: try scratch.write("file", "text")), metadata: nil)
        try await pair.expect(.message, from: .phone)
        try await pair.expect(.messageData, from: .phone)
        try await pair.expect(.reply, from: .watch)
        try await pair.expect(.reply, from: .watch, .sent)
        try await pair.expect(.reply, at: .phone)
        try await pair.expect(.applicationContext, from: .phone)
        try await pair.expect(.userInfo, from: .phone, .delivered, times: 3)
        try await pair.expect(.userInfo, from: .phone, .received, times: 3)
        try await pair.expect(.userInfo, at: .watch, .delivered, times: 1...)
        try await pair.expect(.file, at: .watch)
        try await pair.expect(.userInfo, from: .watch, .queued, times: 0)
        let infos = watchApp.all(.userInfo).compactMap { $0["n"] as? Int }
        #expect(infos == [1, 2, 3])
    }

    @Test("A complication's user info has entries of its own while the complication is on a face")
    func complication() async throws {
        let pair = try await pair()
        try pair.phone.simulator.setComplicationEnabled(true, on: pair.watch.identifier)
        pair.phone.session.transferCurrentComplicationUserInfo(["n": 1])
        try await pair.expect(.complicationUserInfo, from: .phone)
        try await pair.expect(.userInfo, from: .phone, times: 0)
    }

    @Test("One that does not hold in time lists the entries that were found")
    func missing() async throws {
        let pair = try await pair()
        pair.watch.session.transferUserInfo(["n": 1])
        try await pair.expect(.userInfo, from: .watch)
        pair.setLinkUp(false)
        pair.watch.session.transferUserInfo(["n": 2])
        let error = try await #require(throws: LedgerMismatch.self) {
            try await pair.expect(.userInfo, from: .watch, .delivered, times: 2, within: .milliseconds(300))
        }
        let text = error.description
        let place = "ExpectationTests.swift:"
        let words = ": expected exactly 2 user infos from the watch, delivered; after 0.3 seconds there is 1.\n"
        #expect(text.hasPrefix(place), "\(text)")
        #expect(text.contains(words), "\(text)")
        #expect(text.contains("    counted: watch → user info "), "\(text)")
        #expect(text.contains("    not counted: watch → user info "), "\(text)")
        #expect(text.contains("The last lines of the phone:\n"), "\(text)")
        #expect(text.contains("The timeline: /"), "\(text)")
        #expect(error.found.map(\.state) == [.delivered, .queued])
    }

    @Test("One that was exceeded fails at once")
    func exceeded() async throws {
        let pair = try await pair()
        for number in 1...3 { pair.watch.session.transferUserInfo(["n": number]) }
        try await pair.expect(.userInfo, from: .watch, times: 3)
        let day = Duration.seconds(86_400)
        let exact = try await #require(throws: LedgerMismatch.self) {
            try await pair.expect(.userInfo, from: .watch, times: 2, within: day)
        }
        #expect(exact.description.contains("delivered; there are already 3.\n"), "\(exact)")
        await #expect(throws: LedgerMismatch.self) {
            try await pair.expect(.userInfo, from: .watch, times: ...2, within: day)
        }
        try await pair.expect(.userInfo, from: .watch, times: 2...4, within: day)
    }

    @Test("Nothing at all, and what can never be, are told as such")
    func none() async throws {
        let pair = try await pair()
        let none = try await #require(throws: LedgerMismatch.self) {
            try await pair.expect(.file, from: .phone, within: .milliseconds(20))
        }
        #expect(none.description.contains("there are none.\nThe ledgers:\n    phone: no file\n"), "\(none)")
        let never = try await #require(throws: LedgerMismatch.self) {
            try await pair.expect(.file, at: .phone, .sent, within: .seconds(86_400))
        }
        #expect(never.description.contains("“exactly 1 file at the phone, sent” can never hold: "), "\(never)")
    }

    @Test("The ledgers of processes are asked as well")
    func processes() async throws {
        let pair = try ProcessPair(phone: "DeviceProgram", watch: "DeviceProgram")
        try await pair.start()
        for number in 1...3 { try pair.phone.tell("info \(number)") }
        try pair.watch.tell("message 4")
        try await pair.expect(.userInfo, from: .phone, .delivered, times: 3)
        try await pair.expect(.userInfo, at: .watch, .delivered, times: 3)
        try await pair.expect(.reply, from: .phone)
        try await pair.expect(.reply, from: .phone, .sent)
        let error = try await #require(throws: LedgerMismatch.self) {
            try await pair.expect(.userInfo, from: .phone, times: 1)
        }
        #expect(error.found.count == 3)
    }
}
