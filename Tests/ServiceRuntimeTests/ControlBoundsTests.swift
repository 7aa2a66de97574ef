import Configuration
import EventLog
import Foundation
import LinkTransport
import TestSupport
import Testing

@testable import ControlSocket
@testable import ServiceRuntime

/// What one client may ask for, and what becomes of more.
@Suite("Bounds of the control socket")
struct ControlBoundsTests {
    private let server: TestControlServer

    init() async throws { server = try await TestControlServer() }

    /// What is read comes to this method, which refuses it.
    private static let head = #"{"jsonrpc":"2.0","id":1,"method":"fail","params":"#
    private static let isRead = ControlError(ControlError.refused, "no")

    /// A request whose parameters repeat something.
    private static func request(
        _ opening: String = "", repeating part: String, _ count: Int, _ closing: String = ""
    ) -> [UInt8] {
        Array((head + opening + String(repeating: part, count: count) + closing + "}\n").utf8)
    }

    /// Keys and values of a request besides its parameters: an object, three keys, three values, and the key of the parameters.
    private static let own = 8

    @Test("A request may hold so much; the next more is refused before it is decoded")
    func extent() throws {
        let parts = RequestExtent.maximumParts - Self.own
        // Texts, as these are what a decoder is asked for first: each wrong guess is an error, which a test process looks at long.
        let most = Self.request("[0", repeating: #","""#, parts - 2, "]")
        let depth = RequestExtent.maximumDepth
        let nested = { Self.request(repeating: "[", $0, String(repeating: "]", count: $0)) }
        let digits = RequestExtent.maximumNumber
        for bytes in [most, nested(depth - 1), Self.request("0.", repeating: "1", digits - 2)] {
            let error = try server.answers(bytes, 1).first?.error
            #expect(error == Self.isRead)
        }
        let refused = [
            ("\(RequestExtent.maximumParts) keys and values", Self.request("[0", repeating: #","""#, parts - 1, "]")),
            ("\(RequestExtent.maximumParts) keys and values", Self.request("[0", repeating: ",0", 4_000_000, "]")),
            ("\(depth) levels of objects and lists", nested(depth)),
            ("\(depth) levels of objects and lists", nested(1_000_000)),
            ("\(digits) characters in a number", Self.request("0.", repeating: "1", digits - 1)),
            ("\(digits) characters in a number", Self.request(repeating: "1", 8_000_000)),
        ]
        for (bound, bytes) in refused {
            let error = try server.answers(bytes, 1).first?.error
            #expect(error == ControlError(ControlError.invalidRequest, "a request may have at most \(bound)"))
        }
    }

    @Test("Brackets and commas of a text count for nothing, also behind its own quotation marks")
    func text() throws {
        let request = Self.request(#""\\\""#, repeating: "[{,:1", RequestExtent.maximumParts, "\"")
        let error = try server.answers(request, 1).first?.error
        #expect(error == Self.isRead)
    }

    @Test(
        "Lines that are no requests are answered until there are too many; one line of the log tells of them, one of the end"
    )
    func unreadableLines() throws {
        let answers = try server.answers([UInt8](repeating: UInt8(ascii: "\n"), count: 4_000_000))
        #expect(answers.count == ControlServer.unreadableLines + 1)
        #expect(answers.last?.error?.message == "\(ControlServer.unreadableLines) lines were not valid requests")
        let lines = server.log.all.filter { $0.event == .controlRequestRefused }
        #expect(lines.count == 2, "\(lines)")
        let echo = try server.client().call("echo", 5)
        #expect(echo == .integer(5))
    }

    @Test("The incomplete requests of all clients may hold so many bytes; the client with one byte more is turned away")
    func unfinished() throws {
        let largest = 16 * 1_024 * 1_024
        // Each client has an answer to come, so that it is kept when all it sent is read.
        let request = #"{"jsonrpc":"2.0","id":1,"method":"hold"}"# + "\n"
        let bytes = Array(request.utf8) + [UInt8](repeating: UInt8(ascii: "x"), count: largest)
        let first = try HalfClosedClient(path: server.path, sending: bytes)
        let second = try HalfClosedClient(path: server.path, sending: bytes)
        server.held.expect { $0.count == 2 }
        // By the time others are served, all of that is read.
        for number in 0..<Int64(8) {
            let echo = try server.client().call("echo", .integer(number))
            #expect(echo == .integer(number))
        }
        let early = server.log.all.count { $0.event == .controlRequestRefused }
        #expect(early == 0)
        let reason = "the incomplete requests of all clients exceed \(2 * largest) bytes"
        let farewell = try server.answers([UInt8(ascii: "x")], 1).first?.error
        #expect(farewell == ControlError(ControlError.invalidRequest, reason))
        server.release()
        let answers = [first.answers().count, second.answers().count]
        #expect(answers == [1, 1])
        let refusals = server.log.all.filter { $0.event == .controlRequestRefused }.map(\.fields)
        #expect(refusals == [[.reason(reason)]])
    }

    @Test("Of many requests at once so many are under way; the others wait unread, and each is answered")
    func flood() throws {
        let count = 5 * ControlServer.requestsUnderWay
        let stream = try server.connect()
        let requests = (0..<count).map { #"{"jsonrpc":"2.0","id":\#($0),"method":"hold"}"# + "\n" }.joined()
        // What is not read must fit into the socket: nobody else sends it on.
        try stream.write(Data(requests.utf8.prefix(100_000)))
        server.held.expect { $0.count == ControlServer.requestsUnderWay }
        // Others are served, and behind their requests no more of these come.
        for number in 0..<Int64(3) {
            let echo = try server.client().call("echo", .integer(number))
            #expect(echo == .integer(number))
        }
        #expect(server.held.all.count == ControlServer.requestsUnderWay)
        server.release()
        try stream.write(Data(requests.utf8.dropFirst(100_000)))
        var identifiers: Set<Int64> = []
        while identifiers.count < count {
            let line = try #require(try stream.readLine())
            let response = try JSONDecoder().decode(ControlResponse.self, from: line)
            identifiers.insert(try #require(response.id.integer))
        }
        #expect(identifiers == Set(0..<Int64(count)))
    }
}
