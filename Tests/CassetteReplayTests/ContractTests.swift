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

    private static func contract(_ tapes: AppTape...) -> Contract {
        Contract(tapes) ?? { preconditionFailure("no tape") }()
    }

    private static func breaches(_ build: AppTape) -> [String] {
        contract(tape()).breaches(by: build).map(\.text)
    }

    @Test("A contract has messages, keys, types, replies, errors and order, and is read as it was written")
    func content() throws {
        let contract = Self.contract(Self.tape(error: 7_012))
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
        let contract = Self.contract(tape(#"{"pace":5.5}"#))
        #expect(contract.gives["transferUserInfo"] == ["j": "dictionary | json", "j.pace": "number", "n": "integer"])
        #expect(contract.breaches(by: tape(#"{"pace":5}"#)) == [])
        let breaches = contract.breaches(by: tape(#"{"pace":"5.5"}"#)).map(\.text)
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

    @Test("Each breach has a name of its own, so that a change that is expected hides no other one")
    func names() {
        func names(_ build: AppTape) -> [String] { Self.contract(Self.tape()).breaches(by: build).map(\.name) }
        #expect(
            names(Self.tape(reply: [["id": "1", "sub": 5]]))
                == ["reply id contract", "reply sub contract", "reply title contract"])
        #expect(
            names(Self.tape(isAnswered: false, error: 7_012))
                == ["reply contract", "reply didReceiveMessageWithReply contract", "sendMessage error 7012 contract"])
        #expect(names(Self.tape(calls: ["transferUserInfo"])).contains("updateApplicationContext contract"))
        #expect(
            names(Self.tape(calls: ["updateApplicationContext", "transferUserInfo"]))
                == ["didReceiveUserInfo order contract"])
    }

    @Test("Parts are promised where the whole is there: of dictionaries, of elements, and below keys with dots")
    func parts() {
        func tape(_ content: [String: Any]) -> AppTape {
            var tape = TapeBuilder(keeping: [])
            tape.add("transferUserInfo", content, package: 1)
            return tape.tape()
        }
        let contract = Self.contract(
            tape(["a": ["b": 1, "c": 2], "l": [["x": 1, "y": 2]], "org.run": ["k": 1], "o.p": 1]))
        func breaches(_ content: [String: Any]) -> [String] {
            contract.breaches(by: tape(content)).map(\.text)
        }
        let rest: [String: Any] = ["a": ["b": 1, "c": 2], "l": [["x": 1, "y": 2]], "org.run": ["k": 1], "o.p": 1]
        func with(_ key: String, _ value: Any?) -> [String: Any] {
            var content = rest
            content[key] = value
            return content
        }
        func missing(_ path: String) -> String { "transferUserInfo: \(path) is promised, and was not there" }
        #expect(breaches(rest) == [])
        #expect(breaches(with("a", ["b": 1])) == [missing("a.c")])
        #expect(breaches(with("l", [["x": 1]])) == [missing("l[].y")])
        #expect(breaches(with("l", [Any]())) == [], "an empty list has no parts")
        #expect(breaches(with("org.run", ["j": 1])) == [missing("org.run.k")])
        #expect(breaches(with("o.p", nil)) == [missing("o.p")])
        #expect(breaches(with("a", nil)) == [missing("a")], "the whole is told, and not its parts")
        #expect(breaches(with("l", nil)) == [missing("l")])
        #expect(breaches(with("org.run", nil)) == [missing("org.run")])
    }

    @Test("A file without its metadata breaks a contract by what is missing, and was given all the same")
    func metadata() {
        func tape(_ metadata: [String: Any]?...) -> AppTape {
            var tape = TapeBuilder(keeping: ["kind"])
            for (number, metadata) in metadata.enumerated() { tape.add("transferFile", metadata, package: number) }
            return tape.tape()
        }
        let full: [String: Any] = ["name": "a", "of": ["run": 1]]
        func breaches(_ contract: Contract, _ build: AppTape) -> [String] { contract.breaches(by: build).map(\.text) }
        let contract = Self.contract(tape(full))
        #expect(contract.breaches(by: tape(nil)).map(\.name) == ["transferFile metadata contract"])
        #expect(breaches(contract, tape(nil)) == ["transferFile: metadata is promised, and was not there"])
        #expect(
            breaches(contract, tape(full, nil)) == [
                "transferFile: name is promised, and was not always there",
                "transferFile: of is promised, and was not always there",
            ])
        let kinds = Self.contract(tape(["kind": "a", "x": 1], ["kind": "b", "y": 1]))
        #expect(
            breaches(kinds, tape(nil, ["kind": "b", "y": 1])) == [
                "transferFile kind=a: metadata is promised, and was not there"
            ])
        let plain = Self.contract(tape(nil))
        #expect(plain.gives == ["transferFile": [:]])
        #expect(breaches(plain, tape(nil)) == [])
        #expect(breaches(plain, tape(full)) == [])
        #expect(breaches(plain, tape()) == ["transferFile: is promised, and was not given"])
    }

    @Test("A call or an answer that was made and refused breaks a contract by its error")
    func refused() {
        func tape(_ call: String, _ failure: String) -> [String] {
            var (recorded, replayed) = (TapeBuilder(keeping: []), TapeBuilder(keeping: []))
            recorded.add(call, ["n": 1], package: 1)
            replayed.add(failure, error: 7_010)
            return Self.contract(recorded.tape()).breaches(by: replayed.tape()).map(\.text)
        }
        let text = "is promised, and was refused with error 7010 (payloadUnsupportedTypes)"
        #expect(tape("updateApplicationContext", "refused") == ["updateApplicationContext: \(text)"])
        #expect(tape("sendMessage", "errorHandler") == ["sendMessage: \(text)"])
        #expect(tape("transferFile", "didFinish") == ["transferFile: \(text)"])
        #expect(tape("transferFile", "refused") == ["transferFile: is promised, and was not given"], "another call's")
        var answer = TapeBuilder(keeping: [])
        let asked = answer.add("didReceiveMessageWithReply", ["q": "x"], package: 1, wantsReply: true)
        answer.add("reply", package: 1, cause: asked, error: 7_010)
        var sent = TapeBuilder(keeping: [])
        let received = sent.add("didReceiveMessageWithReply", ["q": "x"], package: 1, wantsReply: true)
        sent.add("reply", ["a": 1], package: 1, cause: received)
        #expect(Self.contract(sent.tape()).breaches(by: answer.tape()).map(\.text) == ["reply: \(text)"])
    }

    /// Laps and their end, by one call; the watch asks two questions.
    private static func race(
        keeping kept: [String] = ["kind"], lap: [String: Any] = ["kind": "lap", "number": 1],
        end: [String: Any] = ["kind": "end", "total": 9, "note": "x"], rank: [String: Any] = ["rank": 1],
        follows: Bool = true
    ) -> AppTape {
        var tape = TapeBuilder(keeping: kept)
        for number in 1...3 {
            tape.add("sendMessage", lap, package: number, wantsReply: true)
            tape.add("replyHandler", ["best": number], package: number)
        }
        tape.add("sendMessage", end, package: 4)
        let asked = tape.add("didReceiveMessageWithReply", ["kind": "rank"], package: 5, wantsReply: true)
        tape.add("reply", rank, package: 5, cause: asked)
        let weather = tape.add(
            "didReceiveMessageWithReply", ["kind": "weather", "at": 1], package: 6, wantsReply: true)
        tape.add("reply", ["sky": "blue"], package: 6, cause: weather)
        if follows { tape.add("updateApplicationContext", ["n": 1], package: 7, cause: weather) }
        return tape.tape()
    }

    @Test("Messages that one call sends are told apart by the key that names their kind, if its values are kept")
    func kinds() throws {
        let contract = Self.contract(Self.race())
        #expect(contract.kindKeys == ["sendMessage": "kind", "didReceiveMessageWithReply": "kind"])
        #expect(contract.gives["sendMessage kind=lap"] == ["kind": "string", "number": "integer"])
        #expect(contract.gives["sendMessage kind=end"] == ["kind": "string", "total": "integer", "note": "string"])
        #expect(contract.gives["reply kind=rank"] == ["rank": "integer"])
        #expect(contract.takes["replyHandler kind=lap"] == ["best": "integer"])
        #expect(contract.awaitsReplies == ["sendMessage kind=lap"])
        #expect(
            contract.answers == ["didReceiveMessageWithReply kind=rank", "didReceiveMessageWithReply kind=weather"])
        #expect(contract.order["didReceiveMessageWithReply kind=rank"] == ["reply"])
        #expect(contract.order["didReceiveMessageWithReply kind=weather"] == ["reply", "updateApplicationContext"])
        #expect(try Contract(data: contract.data()) == contract)
        func breaches(_ build: AppTape) -> [String] { contract.breaches(by: build).map(\.text) }
        #expect(breaches(Self.race()) == [])
        #expect(
            breaches(Self.race(end: ["kind": "end", "total": 9]))
                == ["sendMessage kind=end: note is promised, and was not there"])
        #expect(
            breaches(Self.race(rank: ["rank": "first"]))
                == ["reply kind=rank: rank is string, where integer is promised"])
        #expect(
            breaches(Self.race(lap: ["kind": "round", "number": 1])) == [
                "sendMessage kind=lap: is promised, and was not given"
            ])
        #expect(
            breaches(Self.race(follows: false)).contains { $0.contains("kind=weather: is followed by reply, where") })
    }

    @Test("The kinds of messages in an envelope are told apart, with optional keys as well")
    func envelopes() {
        func tape(_ contents: [[String: Any]]) -> AppTape {
            var tape = TapeBuilder(keeping: ["id"])
            for (number, content) in contents.enumerated() { tape.add("sendMessage", content, package: number) }
            return tape.tape()
        }
        let messages: [[String: Any]] = [
            ["id": "start", "content": ["at": 1]], ["id": "start", "content": ["at": 1, "by": "x"]],
            ["id": "finish", "content": ["total": 1]],
        ]
        let contract = Self.contract(tape(messages))
        #expect(contract.kindKeys == ["sendMessage": "id"])
        #expect(
            contract.gives["sendMessage id=start"]
                == ["id": "string", "content": "dictionary", "content.at": "integer", "content.by?": "string"])
        #expect(Self.contract(tape(messages + [["id": "other", "content": ["total": 2]]])).kindKeys == nil)
    }

    @Test("Without kept values, and with one kind, messages of one call are one kind")
    func oneKind() throws {
        let contract = Self.contract(Self.race(keeping: []))
        #expect(contract.kindKeys == nil)
        #expect(contract.gives["sendMessage"]?["total?"] == "integer", "\(contract.gives)")
        #expect(try !String(decoding: contract.data(), as: UTF8.self).contains("kindKeys"))
        #expect(Self.contract(Self.race(end: ["kind": "lap", "number": 2])).kindKeys?["sendMessage"] == nil)
        // A text with few values tells kinds apart only if the other keys follow from it.
        #expect(
            Self.contract(Self.race(keeping: ["x"], lap: ["x": "a", "n": 1], end: ["x": "b", "n": 1])).kindKeys == nil)
        #expect(
            Self.contract(Self.race(keeping: ["x"], lap: ["x": "a", "n": 1], end: ["x": "b", "m": 1])).kindKeys == [
                "sendMessage": "x"
            ])
    }

    @Test("Calls that came in some of several recordings are marked, and a build may leave them out")
    func sometimes() throws {
        let contract = Self.contract(Self.race(), Self.race(follows: false))
        #expect(contract.sometimes == ["updateApplicationContext"])
        #expect(contract.order["didReceiveMessageWithReply kind=weather"] == nil, "one of two has it")
        #expect(contract.gives["updateApplicationContext"] == ["n": "integer"])
        #expect(try Contract(data: contract.data()) == contract)
        for build in [Self.race(), Self.race(follows: false)] {
            #expect(contract.breaches(by: build).map(\.text) == [])
        }
        #expect(Self.contract(Self.race(), Self.race()).sometimes == nil)
        let silent = Self.race(lap: ["kind": "round", "number": 1])
        #expect(
            contract.breaches(by: silent).map(\.text) == ["sendMessage kind=lap: is promised, and was not given"])
    }

    @Test("Messages that share no key are told apart by their keys, and so are their replies")
    func families() throws {
        func tape(_ replies: [[String: Any]] = [["rank": 1], ["sky": "blue"]], key: String = "ask") -> AppTape {
            var tape = TapeBuilder(keeping: [])
            for (number, content) in [[key: 1, "id": 2], ["weather": "x", "at": 1], ["weather": "y"]].enumerated() {
                tape.add("didReceiveMessageWithReply", content, package: number, wantsReply: true)
                tape.add("reply", replies[min(number, 1)], package: number)
            }
            return tape.tape()
        }
        let contract = Self.contract(tape())
        #expect(contract.kindFamilies == ["didReceiveMessageWithReply": [["ask", "id"], ["weather", "at"]]])
        #expect(contract.gives == ["reply with ask": ["rank": "integer"], "reply with weather": ["sky": "string"]])
        #expect(
            contract.takes["didReceiveMessageWithReply with weather"] == ["weather": "string", "at?": "integer"])
        #expect(try Contract(data: contract.data()) == contract)
        #expect(contract.breaches(by: tape()).map(\.text) == [])
        #expect(
            contract.breaches(by: tape([["rank": "1"], ["sky": "blue"]])).map(\.text)
                == ["reply with ask: rank is string, where integer is promised"])
        #expect(Self.contract(tape(key: "weather")).kindFamilies == nil, "they share a key")
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
        let contract = Self.contract(try tape("Run"))
        #expect(contract.gives["transferUserInfo"] == ["run": "archive | object | class Run", "run.n": "integer"])
        #expect(
            contract.breaches(by: try tape("Walk")).map(\.text) == [
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
        #expect(Self.breaches(Self.tape(error: 7_012)) == ["sendMessage: has the new error 7012"])
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
