import Foundation
import Testing

@testable import LinkProtocol

@Suite("Frames by template")
struct PackageTemplateTests {
    private let templates = PackageTemplates()

    private func message(
        _ bytes: Int?, _ status: DeliveryStatus = .sent, answers: UUID? = nil, wantsReply: Bool = true
    ) -> MessagePackage {
        MessagePackage(
            identifier: UUID(), command: .sendMessageData, status: status,
            dataPackage: bytes.map { count in Data((0..<count).map { _ in UInt8.random(in: 0...255) }) },
            answers: answers, wantsReply: wantsReply, timestamp: Date())
    }

    private func frame(_ package: MessagePackage) throws -> Data { try templates.withFrame(package) { Data($0) } }

    /// Decodes a frame's body with the templates and with the unarchiver.
    private func read(_ body: Data, from origin: UUID? = nil) throws -> MessagePackage {
        try body.withUnsafeBytes { try templates.package($0, from: origin) }
    }

    private func unarchived(_ body: Data) throws -> MessagePackage { try body.withUnsafeBytes(PackageCodec.package) }

    private func body(_ frame: Data) -> Data { frame.dropFirst(FrameHeader.bytes) }

    private func isSame(_ left: MessagePackage, _ right: MessagePackage) -> Bool {
        left.identifier == right.identifier && left.command == right.command && left.status == right.status
            && left.dataPackage == right.dataPackage && left.answers == right.answers
            && left.wantsReply == right.wantsReply && left.startsRound == right.startsRound
            && left.timestamp == right.timestamp && left.errorMessage == right.errorMessage
            && left.errorCode == right.errorCode
    }

    @Test("A template's frames equal the archiver's byte for byte, and decode to the original package")
    func equality() throws {
        let origin = UUID()
        for bytes in [nil, 0, 5, 16, 100, 856, 9_000, 20_000] {
            for answers in [nil, UUID()] {
                // Often enough to create a template.
                for _ in 0..<20 {
                    let package = message(bytes, answers: answers.map { _ in UUID() })
                    let frame = try self.frame(package)
                    let archived = try PackageCodec.frame(package)
                    #expect(frame == archived)
                    let read = try read(body(frame), from: origin)
                    #expect(isSame(read, package), "\(read)")
                    #expect(read.origin == origin)
                    let strict = try unarchived(body(frame))
                    #expect(isSame(strict, package), "\(strict)")
                }
            }
        }
    }

    @Test("Payloads and identifiers that look like other parts of the frame change nothing")
    func lookalikes() throws {
        for _ in 0..<20 { _ = try frame(message(16)) }
        let twin = UUID()
        let raw = withUnsafeBytes(of: twin.uuid) { Data($0) }
        let package = MessagePackage(
            identifier: twin, command: .sendMessageData, status: .sent, dataPackage: raw, wantsReply: true,
            timestamp: Date(timeIntervalSinceReferenceDate: 0))
        let frame = try self.frame(package)
        let strict = try unarchived(body(frame))
        #expect(isSame(strict, package), "\(strict)")
        let fast = try read(body(frame))
        #expect(isSame(fast, package), "\(fast)")
    }

    @Test("A body with any byte changed has the same result as with the unarchiver")
    func mutations() throws {
        let package = message(64)
        for _ in 0..<20 { _ = try frame(message(64)) }
        let good = [UInt8](body(try frame(package)))
        for place in good.indices {
            var bad = good
            bad[place] ^= 0x01
            let strict = try? unarchived(Data(bad))
            let fast = try? read(Data(bad))
            switch (strict, fast) {
            case (nil, nil): break
            case (let strict?, let fast?): #expect(isSame(strict, fast), "byte \(place): \(strict), \(fast)")
            default: Issue.record("byte \(place): \(String(describing: strict)), \(String(describing: fast))")
            }
        }
    }

    @Test("Invalid dates and packages with errors use the archiver")
    func others() throws {
        for _ in 0..<20 { _ = try frame(message(64)) }
        let failed = MessagePackage(
            identifier: UUID(), command: .sendMessageData, status: .failed, errorMessage: "no", errorCode: 7_007,
            answers: UUID(), timestamp: Date())
        let back = try read(body(try frame(failed)))
        #expect(isSame(back, failed), "\(back)")
    }

    @Test("Many shapes do no harm")
    func shapes() throws {
        for round in 0..<3 {
            for bytes in 16..<200 {
                for _ in 0..<10 {
                    let package = message(bytes + round)
                    let back = try read(body(try frame(package)))
                    #expect(isSame(back, package), "\(back)")
                }
            }
        }
    }

    @Test("A shape has a template if its payload is not short and its frame not longer than the limit")
    func limits() throws {
        for bytes in [nil, 16, 5_000] {
            for answers in [nil, UUID()] {
                let package = message(bytes, answers: answers)
                let count = try PackageCodec.frame(package).count
                let exact = PackageTemplate(of: package, maximumBytes: count)?.bodyBytes
                #expect(exact == count - FrameHeader.bytes, "\(bytes ?? 0) bytes of payload")
                let longer = PackageTemplate(of: package, maximumBytes: count - 1)?.bodyBytes
                #expect(longer == nil, "\(bytes ?? 0) bytes of payload")
            }
        }
        let short = PackageTemplate(of: message(15), maximumBytes: 16_384)?.bodyBytes
        #expect(short == nil)
    }

    @Test("A package with an error text or code, or with both, keeps them, however often its shape occurs")
    func errors() throws {
        for (text, code) in [("no", nil), (nil, 7_007), ("no", 7_007)] as [(String?, Int?)] {
            let templates = PackageTemplateTests()
            for _ in 0..<20 {
                let clean = templates.message(nil, .failed, answers: UUID(), wantsReply: false)
                let cleanBack = try templates.read(body(try templates.frame(clean)))
                #expect(isSame(cleanBack, clean), "\(cleanBack)")
                let failed = clean.with(status: .failed, errorMessage: text, errorCode: code)
                let back = try templates.read(body(try templates.frame(failed)))
                #expect(isSame(back, failed), "\(back.errorMessage ?? "no text"), \(back.errorCode ?? 0)")
            }
        }
    }

    @Test("Unknown commands of one shape keep their own names")
    func unrecognized() throws {
        let known = Command.heartbeat.rawValue
        for round in 0..<20 {
            for name in ["Telepathy", "Telegraph"] {
                try #require(name.utf8.count == known.utf8.count)
                let heartbeat = MessagePackage(
                    identifier: UUID(), command: .heartbeat, status: .sent, timestamp: Date())
                var archive = try PackageCodec.frame(heartbeat)
                let place = try #require(archive.firstRange(of: Data(known.utf8)))
                archive.replaceSubrange(place, with: Data(name.utf8))
                let package = try unarchived(body(archive))
                let back = try read(body(try frame(package)))
                #expect(back.commandName == name, "round \(round)")
            }
        }
    }

    @Test("A body that is longer than its template is not read by it, even if it begins alike")
    func longerBody() throws {
        let package = message(16)
        let template = try #require(PackageTemplate(of: package, maximumBytes: 16_384))
        let frame = template.withFrame(package) { [UInt8]($0) }
        let exact = Array(frame.dropFirst(FrameHeader.bytes))
        let read = exact.withUnsafeBytes { template.package($0, from: nil)?.identifier }
        #expect(read == package.identifier)
        let longer = (exact + [0]).withUnsafeBytes { template.package($0, from: nil)?.identifier }
        #expect(longer == nil)
    }

    /// Returns the place of the bytes of a package's frame while they are used.
    private func place(_ package: MessagePackage) throws -> UInt {
        try templates.withFrame(package) { UInt(bitPattern: $0.baseAddress) }
    }

    @Test(
        "A shape that was written or read eight times is written in one place from then on, also after another shape",
        arguments: [Command.sendMessage, .sendMessageData], [false, true])
    func frequent(_ command: Command, isRead: Bool) throws {
        func package(_ bytes: Int) -> MessagePackage {
            MessagePackage(
                identifier: UUID(), command: command, status: .sent, dataPackage: Data(count: bytes), wantsReply: true,
                timestamp: Date(timeIntervalSinceReferenceDate: 0))
        }
        func see(_ bytes: Int) throws {
            for _ in 0..<8 {
                if isRead {
                    _ = try read(body(try PackageCodec.frame(package(bytes))))
                } else {
                    _ = try frame(package(bytes))
                }
            }
        }
        var places: Set<UInt> = []
        // What is freed is taken by these, so that only a buffer that stays is in the same place again.
        var kept: [Data] = []
        for others in [200, 300] {
            try see(100)
            for _ in 0..<20 {
                places.insert(try place(package(100)))
                kept.append(try PackageCodec.frame(package(100)))
            }
            try see(others)
        }
        #expect(places.count == 1)
        #expect(kept.count == 40)
    }
}
