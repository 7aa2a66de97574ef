import Cassettes
import Foundation
import Testing

@testable import CassetteReplay

@Suite("The comparison of two courses of an app")
struct TapeComparisonTests {
    /// A course: an answered question, two user infos from a delegate's call, and a message with its reply.
    private static func course(
        reply: [String: Any]? = ["a": 1], delay: Double = 0.1, infos: [[String: Any]] = [["i": 1], ["j": 2]],
        inCall: Bool = true, error: Int? = nil, dropped: Bool = false
    ) -> AppTape {
        var tape = TapeBuilder()
        let question = tape.add("didReceiveMessageWithReply", ["q": 1], package: 1, wantsReply: true)
        if let reply { tape.add("reply", reply, package: 1, cause: question, after: delay) }
        if dropped { tape.add("replyHandlerDropped", package: 1, cause: question) }
        let call = tape.add("didReceiveUserInfo", ["u": 1], package: 2)
        for (place, info) in infos.enumerated() {
            tape.add("transferUserInfo", info, package: 10 + place, cause: inCall ? call : nil)
        }
        tape.add("sendMessage", ["m": 1], package: 5, wantsReply: true)
        if let error {
            tape.add("errorHandler", package: 5, error: error)
        } else {
            let answer = tape.add("replyHandler", ["r": 1], package: 5)
            tape.add("updateApplicationContext", ["c": 1], package: 6, cause: answer)
        }
        return tape.tape()
    }

    private static func found(_ new: AppTape) -> [String] {
        TapeComparison(course(), new).deviations.map(\.name)
    }

    @Test("The same course is the same, with other numbers of messages, too")
    func same() {
        #expect(Self.found(Self.course()) == [])
        #expect(TapeComparison(Self.course(), Self.course()).matched == 6)
    }

    @Test("A deed that is done again with its identifier is one more, and takes nobody's place")
    func copies() {
        func course(_ times: Int, first: Int = 1) -> AppTape {
            var tape = TapeBuilder()
            let call = tape.add("didReceiveUserInfo", ["u": 1], package: 2)
            var package = 10
            for number in 1...3 {
                let made = UUID().uuidString
                for _ in 1...(number == 1 ? first : times) {
                    tape.add("transferUserInfo", ["id": made, "number": number], package: package, cause: call)
                    package += 1
                }
            }
            return tape.tape()
        }
        func found(_ old: AppTape, _ new: AppTape) -> [String] { TapeComparison(old, new).deviations.map(\.name) }
        #expect(found(course(1), course(1)) == [])
        #expect(found(course(1), course(2)) == ["transferUserInfo extra", "transferUserInfo extra"])
        #expect(found(course(1), course(1, first: 3)) == ["transferUserInfo extra", "transferUserInfo extra"])
        #expect(found(course(2), course(2)) == [], "recorded twice")
        #expect(
            found(course(1, first: 2), course(2, first: 2)) == ["transferUserInfo extra", "transferUserInfo extra"])
    }

    @Test("An answer that is missing, dropped, late or changed is told")
    func answers() {
        #expect(Self.found(Self.course(reply: nil)) == ["reply missing"])
        #expect(Self.found(Self.course(reply: nil, dropped: true)) == ["reply unanswered"])
        #expect(Self.found(Self.course(reply: ["a": "1"])) == ["reply a type"])
        #expect(Self.found(Self.course(delay: 1.05)) == [])
        #expect(Self.found(Self.course(delay: 1.2)) == ["reply late"])
    }

    @Test("An answer is that of its message, even if it shares nothing with the recorded one")
    func otherAnswers() {
        func found(_ reply: [String: Any]) -> [Deviation] {
            TapeComparison(Self.course(reply: ["a": 1, "b": 2, "c": 3]), Self.course(reply: reply)).deviations
        }
        let lacking = ["reply a key-missing", "reply b key-missing", "reply c key-missing"]
        #expect(found([:]).map(\.name) == lacking, "\(found([:]).map(\.text))")
        #expect(found([:]).map(\.verdict) == [.changed, .changed, .changed])
        let other = found(["error": "unknown"])
        #expect(other.map(\.name) == lacking + ["reply error key-added"], "\(other.map(\.text))")
    }

    @Test("A message that came late because its cause did not come is the recorded one, and so is its answer")
    func lateDeliveries() {
        func tape(_ messages: [Int]) -> AppTape {
            var tape = TapeBuilder()
            for message in messages {
                let name = ["rain", "snow", "wind"][message - 1]
                let words = Dictionary(
                    uniqueKeysWithValues: ["Now", "Soon", "Later"].map { (name + $0, message) })
                let call = tape.add("didReceiveMessageWithReply", words, package: message, wantsReply: true)
                tape.add("reply", ["r": message], package: message, cause: call)
            }
            return tape.tape()
        }
        let comparison = TapeComparison(tape([1, 2, 3]), tape([2, 3, 1]))
        #expect(comparison.deviations.map(\.text) == [], "\(comparison.deviations)")
        #expect(comparison.matched == 4, "with the activation")
        let unasked = TapeComparison(tape([1, 2, 3]), tape([2, 3])).deviations
        #expect(unasked.map(\.name) == ["reply unasked"])
        #expect(unasked.map(\.verdict) == [.changed])
    }

    @Test("An answer that did not reach the link, as it was too large, is broken")
    func unsent() {
        func tape(_ isSent: Bool) -> AppTape {
            var tape = TapeBuilder()
            let call = tape.add("didReceiveMessageWithReply", ["q": 1], package: 1)
            let answer = tape.add("reply", ["a": 1], package: 1, cause: call)
            if isSent { tape.add("write", package: 1, cause: answer) }
            return tape.tape()
        }
        let comparison = TapeComparison(tape(true), tape(false))
        #expect(comparison.deviations.map(\.name) == ["reply outcome"])
        #expect(comparison.verdict == .broken)
        #expect(TapeComparison(tape(false), tape(false)).deviations == [])
    }

    @Test("A delay is none while it is less than twice the recorded one")
    func delays() {
        func found(_ from: Double, _ to: Double) -> Int {
            TapeComparison(Self.course(delay: from), Self.course(delay: to)).deviations.count
        }
        #expect(found(10, 19.9) == 0)
        #expect(found(10, 20.1) == 1)
        #expect(found(10, 1) == 0)
    }

    @Test("An answer for which the sender no longer waits is broken, and says so", arguments: [29.9, 30, 40])
    func inVain(_ delay: Double) {
        let found = TapeComparison(Self.course(delay: 2), Self.course(delay: delay)).deviations
        #expect(found.map(\.verdict) == [delay < 30 ? .changed : .broken])
        let text = found.map(\.text).joined()
        #expect(text.hasSuffix("; after 30.0 s the sender has error 7012") == (delay >= 30), "\(text)")
        // It came too late already.
        #expect(TapeComparison(Self.course(delay: 31), Self.course(delay: 70)).deviations.map(\.verdict) == [.changed])
    }

    @Test("An answer is not missed on the link if that went down with it")
    func cutOff() {
        func tape(_ isLost: Bool) -> AppTape {
            var tape = TapeBuilder()
            tape.add("connected", package: 9)
            let call = tape.add("didReceiveMessageWithReply", ["q": 1], package: 1)
            let answer = tape.add("reply", ["a": 1], package: 1, cause: call, after: 0)
            if isLost {
                tape.add("disconnected", package: 9, after: 0.05)
            } else {
                tape.add("write", package: 1, cause: answer, after: 0)
                tape.add("disconnected", package: 9, after: 20)
            }
            return tape.tape()
        }
        let found = TapeComparison(tape(false), tape(true)).deviations
        #expect(found == [], "\(found.map(\.text))")
    }

    @Test("A deed too few or too many is told at its own event, and shifts no other")
    func numbers() {
        #expect(Self.found(Self.course(infos: [["j": 2]])) == ["transferUserInfo missing"])
        #expect(Self.found(Self.course(infos: [["i": 1], ["j": 2], ["k": 3]])) == ["transferUserInfo extra"])
        #expect(Self.found(Self.course(infos: [["x": 0], ["i": 1], ["j": 2]])) == ["transferUserInfo extra"])
        let missing = TapeComparison(Self.course(), Self.course(infos: [["j": 2]])).deviations
        #expect(missing.map(\.recorded) == [5])
    }

    @Test("The order of one kind is told; that of several kinds is free")
    func order() {
        #expect(Self.found(Self.course(infos: [["j": 2], ["i": 1]])) == ["transferUserInfo order"])
        var (old, new) = (TapeBuilder(), TapeBuilder())
        old.add("transferUserInfo", ["a": 1], package: 1)
        old.add("sendMessage", ["b": 1], package: 2)
        new.add("sendMessage", ["b": 1], package: 1)
        new.add("transferUserInfo", ["a": 1], package: 2)
        #expect(TapeComparison(old.tape(), new.tape()).deviations == [])
        // Messages of both kinds arrive in one order.
        var (first, second) = (TapeBuilder(), TapeBuilder())
        first.add("sendMessage", ["a": 1], package: 1)
        first.add("sendMessageData", ["b": 1], package: 2)
        second.add("sendMessageData", ["b": 1], package: 1)
        second.add("sendMessage", ["a": 1], package: 2)
        #expect(TapeComparison(first.tape(), second.tape()).deviations.map(\.name) == ["sendMessageData order"])
    }

    @Test("A deed outside of the call that it was made in is equivalent")
    func occasions() {
        let comparison = TapeComparison(Self.course(), Self.course(inCall: false))
        #expect(comparison.deviations.map(\.name) == ["transferUserInfo occasion", "transferUserInfo occasion"])
        #expect(comparison.verdict == .equivalent)
    }

    @Test("Deeds that are alike and no longer in a call keep their order")
    func occasionsOfEqualDeeds() {
        // A state that is sent when it is asked for, by itself, and when it is asked for again.
        func tape(inCall: Bool) -> AppTape {
            var tape = TapeBuilder()
            for (place, size) in [1, 2, 2].enumerated() {
                let call = place == 1 ? nil : tape.add("didReceiveUserInfo", ["u": 1], package: place + 1)
                let state = ["plants": Array(repeating: "a", count: size)]
                tape.add("updateApplicationContext", state, package: place + 10, cause: inCall ? call : nil)
            }
            return tape.tape()
        }
        let found = TapeComparison(tape(inCall: true), tape(inCall: false)).deviations
        #expect(
            found.map(\.name) == Array(repeating: "updateApplicationContext occasion", count: 2), "\(found.map(\.text))"
        )
        #expect(found.map(\.recorded) == [3, 6], "the second was done by itself before, too")
    }

    @Test("Another outcome is told, and what was done because of the former one")
    func outcomes() {
        #expect(Self.found(Self.course(error: 7_012)) == ["sendMessage outcome", "updateApplicationContext missing"])
        let fails = TapeComparison(Self.course(error: 7_012), Self.course(error: 7_007)).deviations
        #expect(fails.map(\.text) == ["sendMessage: its outcome was error 7012, is error 7007"])
        let answered = TapeComparison(Self.course(), Self.course(error: 7_012)).deviations.first
        #expect(answered?.text == "sendMessage: its outcome was a reply, is error 7012")
        func transfer(_ error: Int?) -> AppTape {
            var tape = TapeBuilder()
            tape.add("transferUserInfo", ["a": 1], package: 1)
            tape.add("didFinish", package: 1, error: error)
            return tape.tape()
        }
        let delivered = TapeComparison(transfer(nil), transfer(7_015)).deviations
        #expect(delivered.map(\.text) == ["transferUserInfo: its outcome was delivered, is error 7015"])
    }

    @Test("A reply after the end of the recording is no difference")
    func lateReply() {
        func tape(_ isAnswered: Bool) -> AppTape {
            var tape = TapeBuilder()
            tape.add("sendMessage", ["a": 1], package: 1, wantsReply: true)
            if isAnswered { tape.add("replyHandler", ["b": 1], package: 1, after: 0.5) }
            tape.add("reachabilityDidChange", words: "reachable")
            return tape.tape()
        }
        let found = TapeComparison(tape(false), tape(true)).deviations
        #expect(found == [], "\(found.map(\.text))")
    }

    @Test("Deeds of different kinds are never taken for one another")
    func kinds() {
        func tape(_ call: String) -> AppTape {
            var tape = TapeBuilder()
            tape.add(call, ["a": 1], package: 1)
            return tape.tape()
        }
        let found = TapeComparison(tape("sendMessage"), tape("transferUserInfo")).deviations.map(\.name)
        #expect(Set(found) == ["sendMessage missing", "transferUserInfo extra"], "\(found)")
    }

    @Test("A call that is refused at once is told; one that failed after the end of the recording is not")
    func refusals() {
        func tape(refusedAfter seconds: Double?, more: Double) -> AppTape {
            var tape = TapeBuilder()
            tape.add("updateApplicationContext", ["a": 1], package: 1)
            if let seconds { tape.add("refused", package: 1, error: 7_009, after: seconds) }
            tape.add("reachabilityDidChange", after: more, words: "reachable")
            return tape.tape()
        }
        func found(_ seconds: Double, _ more: Double) -> [String] {
            TapeComparison(tape(refusedAfter: nil, more: more), tape(refusedAfter: seconds, more: 0)).deviations.map(
                \.name)
        }
        #expect(found(0, 0) == ["updateApplicationContext outcome"])
        #expect(found(5, 5) == ["updateApplicationContext outcome"])
        #expect(found(5, 4) == [])
    }

    @Test("A call or an answer whose content is no property list is told with its error, though it was not noted")
    func unnotedRefusals() {
        func tape(_ call: String, failure: String? = nil, recordsOne: Bool = false) -> AppTape {
            var tape = TapeBuilder()
            if recordsOne { tape.add("refused", package: 1, error: 7_010) }
            if let failure { tape.add(failure, package: 2, error: 7_010) } else { tape.add(call, ["a": 1], package: 2) }
            return tape.tape()
        }
        for (call, failure) in [
            ("updateApplicationContext", "refused"), ("transferUserInfo", "didFinish"), ("transferFile", "didFinish"),
            ("sendMessage", "errorHandler"),
        ] {
            let found = TapeComparison(tape(call), tape(call, failure: failure)).deviations
            #expect(found.map(\.name) == ["\(call) outcome"])
            #expect(
                found.map(\.text) == [
                    "\(call): its outcome was none, is a refusal with error 7010 (payloadUnsupportedTypes)"
                ])
            #expect(found.map(\.place) == ["event 2"])
        }
        // Another call's error, and one that was in the recording, too, explain nothing.
        let other = TapeComparison(tape("sendMessage"), tape("sendMessage", failure: "refused")).deviations
        #expect(other.map(\.name) == ["sendMessage missing"])
        let known = TapeComparison(
            tape("updateApplicationContext", recordsOne: true), tape("sendMessage", recordsOne: true)
        ).deviations
        #expect(Set(known.map(\.name)) == ["updateApplicationContext missing", "sendMessage extra"])

        func answered(_ error: Int?) -> AppTape {
            var tape = TapeBuilder()
            let call = tape.add("didReceiveMessageWithReply", ["q": 1], package: 1, wantsReply: true)
            tape.add("reply", error == nil ? ["a": 1] : nil, package: 1, cause: call, error: error)
            return tape.tape()
        }
        let answer = TapeComparison(answered(nil), answered(7_010)).deviations
        #expect(
            answer.map(\.text) == [
                "reply: its outcome was sent, is a refusal with error 7010 (payloadUnsupportedTypes)"
            ])
    }

    @Test("An identifier that the counterpart gave must come back")
    func echoes() {
        func tape(_ given: String, _ answered: String) -> AppTape {
            var tape = TapeBuilder()
            let call = tape.add("didReceiveMessageWithReply", ["id": given], package: 1)
            tape.add("reply", ["id": answered], package: 1, cause: call)
            return tape.tape()
        }
        let (a, b, c) = (UUID().uuidString, UUID().uuidString, UUID().uuidString)
        #expect(TapeComparison(tape(a, a), tape(b, b)).deviations == [])
        #expect(TapeComparison(tape(a, a), tape(b, c)).deviations.map(\.name) == ["reply id identity"])
        #expect(TapeComparison(tape(a, b), tape(a, c)).deviations == [])
    }

    @Test("An identifier that is always the same is told, though its answers repeat it as they did")
    func constantIdentifier() {
        func tape(_ identifiers: [String]) -> AppTape {
            var tape = TapeBuilder()
            for (number, identifier) in identifiers.enumerated() {
                tape.add("sendMessage", ["id": identifier], package: number + 1, wantsReply: true)
                tape.add("replyHandler", ["id": identifier], package: number + 1)
            }
            return tape.tape()
        }
        let (recorded, replayed) = ((0..<3).map { _ in UUID().uuidString }, UUID().uuidString)
        let deviations = TapeComparison(tape(recorded), tape([replayed, replayed, replayed])).deviations
        #expect(
            deviations.map(\.text)
                == Array(
                    repeating: "sendMessage: id repeats a value where a new one was recorded", count: 2))
        #expect(TapeComparison(tape(recorded), tape((0..<3).map { _ in UUID().uuidString })).deviations == [])
    }

    @Test("Values that differ between two runs of one build are no change later")
    func variables() {
        func tape(_ nonce: Int) -> AppTape {
            var tape = TapeBuilder()
            tape.add("sendMessage", ["nonce": nonce, "kind": "a"], package: 1)
            return tape.tape()
        }
        let variables = Variables([TapeComparison(tape(1), tape(2))])
        #expect(variables.paths == ["sendMessage": VariablePaths(values: ["nonce"])])
        #expect(TapeComparison(tape(1), tape(3), variables: variables.paths).deviations == [])
        #expect(TapeComparison(tape(1), tape(3)).deviations.map(\.name) == ["sendMessage nonce value"])
    }

    @Test("A state with many values that differ is the same deed, and all of them are learned")
    func manyVariables() {
        func tape(_ nonce: Int) -> AppTape {
            let plants = (0..<4).map {
                ["name": "a\($0)", "watered": "\(nonce + $0)", "image": nonce * $0 + 1] as [String: Any]
            }
            var tape = TapeBuilder()
            tape.add("updateApplicationContext", ["plants": plants, "draws": nonce], package: 1)
            return tape.tape()
        }
        let comparison = TapeComparison(tape(10), tape(20))
        #expect(comparison.matched == 2, "with the activation: \(comparison.deviations.map(\.text))")
        let variables = Variables([comparison])
        let paths: Set = ["draws", "plants[].image", "plants[].watered"]
        #expect(variables.paths == ["updateApplicationContext": VariablePaths(values: paths)])
        #expect(TapeComparison(tape(10), tape(30), variables: variables.paths).deviations == [])
    }

    @Test("Variables are read as they were written")
    func variablesFile() throws {
        let (a, b, c) = (UUID().uuidString, UUID().uuidString, UUID().uuidString)
        func tape(_ number: Int, _ drawn: String, _ new: String) -> AppTape {
            var tape = TapeBuilder()
            tape.add("sendMessage", ["n": number, "new": new], package: 1)
            tape.add("sendMessage", ["drawn": drawn], package: 2)
            return tape.tape()
        }
        let variables = Variables([TapeComparison(tape(1, a, a), tape(2, c, b))])
        #expect(variables.paths == ["sendMessage": VariablePaths(values: ["n", "drawn"], drawn: ["drawn"])])
        #expect(try Variables(data: variables.data()) == variables)
        let former = try Variables(data: Data(#"{"reply": ["id"], "sendMessage": ["n"]}"#.utf8))
        #expect(former.paths["reply"] == VariablePaths(values: ["id"], drawn: ["id"]))
        #expect(former.paths["sendMessage"] == VariablePaths(values: ["n"], drawn: ["n"]))
        #expect(throws: (any Error).self) { try Variables(data: Data(#"{"reply": 7}"#.utf8)) }
    }

    @Test("Only what was done in a call of the app's code has that occasion")
    func causes() throws {
        var tape = TapeBuilder()
        let call = tape.add("didReceiveUserInfo", ["u": 1], package: 1)
        tape.add("sendMessage", ["m": 1], package: 2, cause: call)
        let message = tape.add("sendMessage", ["m": 2], package: 3)
        tape.add("write", package: 3, cause: message)
        let occasions = tape.tape().events.map(\.occasion)
        #expect(occasions == [nil, nil, call, nil, nil], "\(occasions)")
    }
}
