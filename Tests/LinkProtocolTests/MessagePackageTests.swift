import Foundation
import LinkProtocol
import Testing

@Suite("Message packages")
struct MessagePackageTests {
    private static let identifier = UUID()
    private static let other = UUID()

    private struct Fields {
        var identifier = MessagePackageTests.identifier
        var command = Command.sendMessage
        var status = DeliveryStatus.sent
        var dataPackage: Data?
        var errorMessage: String?
        var errorCode: Int?
        var answers: UUID?
        var wantsReply = false
        var startsRound = false
        var timestamp = Date(timeIntervalSince1970: 1)
        var origin: UUID?

        var package: MessagePackage {
            MessagePackage(
                identifier: identifier, command: command, status: status, dataPackage: dataPackage,
                errorMessage: errorMessage, errorCode: errorCode, answers: answers, wantsReply: wantsReply,
                startsRound: startsRound, timestamp: timestamp, origin: origin)
        }
    }

    private static let changes: [(String, @Sendable (inout Fields) -> Void)] = [
        ("identifier", { $0.identifier = other }), ("command", { $0.command = .transferFile }),
        ("status", { $0.status = .failed }), ("dataPackage", { $0.dataPackage = Data() }),
        ("errorMessage", { $0.errorMessage = "no" }), ("errorCode", { $0.errorCode = 1 }),
        ("answers", { $0.answers = other }), ("wantsReply", { $0.wantsReply = true }),
        ("startsRound", { $0.startsRound = true }), ("timestamp", { $0.timestamp = Date(timeIntervalSince1970: 2) }),
        ("origin", { $0.origin = other }),
    ]

    @Test("Packages with the same fields are equal and have the same hash")
    func equal() {
        let (left, right) = (Fields().package, Fields().package)
        #expect(left == right)
        #expect(left.hash == right.hash)
        #expect(left.isEqual("a text") == false)
    }

    @Test("A package that differs in one field is another package")
    func unequal() {
        let equal = Self.changes.filter { _, change in
            var fields = Fields()
            change(&fields)
            return fields.package == Fields().package
        }
        #expect(equal.map(\.0) == [])
    }

    @Test("A refusal answers its package as failed and expects no reply, even if the package did")
    func refusal() {
        var fields = Fields()
        (fields.dataPackage, fields.wantsReply, fields.startsRound, fields.origin) = (Data([1]), true, true, Self.other)
        let refusal = fields.package.refusal(identifier: Self.other, timestamp: Date(timeIntervalSince1970: 2))
        var expected = Fields()
        expected.identifier = Self.other
        expected.status = .failed
        expected.errorMessage = "unknown command “SendMessage”"
        expected.answers = Self.identifier
        expected.timestamp = Date(timeIntervalSince1970: 2)
        #expect(refusal == expected.package)
        #expect(refusal.wantsReply == false)
        #expect(refusal.startsRound == false)
    }
}
