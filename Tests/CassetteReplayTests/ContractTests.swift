import Cassettes
import Configuration
import Foundation
import KeyedArchive
import Testing

@testable import CassetteReplay

@Suite("Contracts")
struct ContractTests {
    private static func tape(
        reply: [[String: Any]] = [["id": 1, "title": "a", "sub": "x"], ["id": 2, "title": "b"]],
        isAnswered: Bool = true,
        calls: [String] = ["transferUserInfo", "updateApplicationContext"], error: Int? = nil
    ) -> AppTape {
        var tape = TapeBuilder(keeping: [])
        for (number, reply) in reply.enumerated() {
            let call = tape.add("didReceiveMessageWithReply", ["q": "x"], package: number, wantsReply: true)
            if isAnswered { tape.add("reply", reply, package: number, cause: call) }
        }
        let told = tape.add("didReceiveUserInfo", ["page": 1], package: 10)
        for (number, call) in calls.enumerated() { tape.add(call, ["n": 1], package: 20 + number, cause: told) }
        tape.add("sendMessage", ["m": true], package: 30, wantsReply: true)
        tape.add(
            error == nil ? "replyHandler" : "errorHandler", error == nil ? ["r": 1.5] : nil, package: 30, error: error)
        return tape.tape()
    }

    private static func breaches(_ build: AppTape) -> [String] {
        Contract(tape()).breaches(by: Contract(build)).map(\.text)
    }

    @Test("A contract has messages, keys, types, replies, errors and order, and is read as it was written")
    func content() throws {
        let contract = Contract(Self.tape(error: 7_012))
        #expect(contract.side == "phone")
        #expect(contract.gives["reply"] == ["id": "integer", "title": "string", "sub?": "string"])
        #expect(contract.takes["didReceiveMessageWithReply"] == ["q": "string"])
        #expect(contract.awaitsReplies == ["sendMessage"])
        #expect(contract.answers == ["didReceiveMessageWithReply"])
        #expect(contract.errors == ["sendMessage": [7_012]])
        #expect(
            contract.order == [
                "didReceiveMessageWithReply": ["reply"],
                "didReceiveUserInfo": ["transferUserInfo", "updateApplicationContext"],
            ])
        #expect(try Contract(data: contract.data()) == contract)
    }

    @Test("A build that keeps it has no breach, with more keys and without what is optional, too")
    func kept() {
        #expect(Self.breaches(Self.tape()) == [])
        #expect(Self.breaches(Self.tape(reply: [["id": 1, "title": "a", "new": 1]])) == [])
    }

    @Test("A number of JSON that is whole at times keeps a contract, and a text in its place does not")
    func jsonNumbers() {
        func tape(_ json: String) -> AppTape {
            var tape = TapeBuilder(keeping: [])
            tape.add("transferUserInfo", ["j": Data(json.utf8), "n": 1], package: 1)
            return tape.tape()
        }
        let contract = Contract(tape(#"{"pace":5.5}"#))
        #expect(contract.gives["transferUserInfo"] == ["j": "dictionary | json", "j.pace": "number", "n": "integer"])
        #expect(contract.breaches(by: Contract(tape(#"{"pace":5}"#))) == [])
        let breaches = contract.breaches(by: Contract(tape(#"{"pace":"5.5"}"#))).map(\.text)
        #expect(breaches == ["transferUserInfo: j.pace is string, where number is promised"])
    }

    @Test("A missing key, one that is missing at times, and another type are breaches")
    func keys() {
        #expect(Self.breaches(Self.tape(reply: [["id": 1]])) == ["reply: title is promised, and was not there"])
        #expect(
            Self.breaches(Self.tape(reply: [["id": 1, "title": "a"], ["id": 1]]))
                == ["reply: title is promised, and was not always there"])
        #expect(
            Self.breaches(Self.tape(reply: [["id": "1", "title": "a"]]))
                == ["reply: id is string, where integer is promised"])
        #expect(
            Self.breaches(Self.tape(reply: [["id": 1, "title": "a", "sub": 5]]))
                == ["reply: sub is integer, where string is promised"])
    }

    @Test("An archive's class is part of it")
    func classes() throws {
        func tape(_ name: String) throws -> AppTape {
            let archive = try PropertyListValue.dictionary([
                "$archiver": .string("NSKeyedArchiver"), "$version": .integer(100_000),
                "$top": .dictionary(["root": .uid(1)]),
                "$objects": .array([
                    .string("$null"), .dictionary(["$class": .uid(2), "n": .integer(7)]),
                    .dictionary(["$classname": .string(name), "$classes": .array([.string(name)])]),
                ]),
            ]).binaryData()
            var tape = TapeBuilder()
            tape.add("transferUserInfo", ["run": archive], package: 1)
            return tape.tape()
        }
        let contract = Contract(try tape("Run"))
        #expect(contract.gives["transferUserInfo"] == ["run": "archive | object | class Run", "run.n": "integer"])
        #expect(
            contract.breaches(by: Contract(try tape("Walk"))).map(\.text) == [
                "transferUserInfo: run is class Walk, where archive | object | class Run is promised"
            ])
    }

    @Test("No answer, a new error, another order and a kind that is not given are breaches")
    func course() {
        #expect(
            Self.breaches(Self.tape(isAnswered: false)) == [
                "reply: is promised, and was not given",
                "reply: is promised for didReceiveMessageWithReply, and was not given",
            ])
        #expect(Self.breaches(Self.tape(error: 7_012)) == ["sendMessage: has the new errors [7012]"])
        #expect(
            Self.breaches(Self.tape(calls: ["updateApplicationContext", "transferUserInfo"])) == [
                "didReceiveUserInfo: is followed by updateApplicationContext, transferUserInfo, where transferUserInfo, updateApplicationContext is promised"
            ])
        #expect(
            Self.breaches(Self.tape(calls: ["transferUserInfo"])).contains(
                "updateApplicationContext: is promised, and was not given"))
    }

    @Test("A Pact has each kind of message once, with values of its types, and the reply of one that waits for it")
    func pact() throws {
        let json = try PactDocument(Self.tape()).json()
        #expect(json["metadata"]?["pactSpecification"]?["version"]?.string == "4.0")
        let interactions = try #require(json["interactions"]?.array)
        #expect(
            interactions.map { $0["type"]?.string } == [
                "Asynchronous/Messages", "Asynchronous/Messages", "Synchronous/Messages",
            ])
        #expect(interactions[0]["contents"]?["content"]?["n"]?.integer != nil, "\(interactions[0])")
        let waiting = interactions[2]
        #expect(waiting["request"]?["contents"]?["content"]?["m"]?.boolean != nil, "\(waiting)")
        #expect(waiting["response"]?.array?.count == 1, "\(waiting)")
        #expect(waiting["description"]?.string == "sendMessage with m")
    }
}
