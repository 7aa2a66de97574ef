import Testing
import Words

@testable import LinkProtocol

@Suite("Faults at the app")
struct AppFaultTests {
    private func faults(_ texts: String...) throws -> AppFaultStateMachine {
        var machine = AppFaultStateMachine(Chance(seed: 1))
        for text in texts { machine.add(try AppFault(words: text.split(separator: " ").map(String.init))) }
        return machine
    }

    @Test(
        "Faults survive parsing and printing",
        arguments: [
            "duplicate message at-app", "duplicate file at-app nth=2", "replay context times=1",
            "fail user-info with=transferTimedOut nth=2", "fail activation with=watchOnlyApp probability=0.5",
            "slow isReachable by=3000ms", "slow any by=20ms times=2", "early refresh-task by=500ms",
        ])
    func words(_ text: String) throws {
        let words = text.split(separator: " ").map(String.init)
        let fault = try AppFault(words: words).description
        #expect(fault == text)
        let deed = try FaultDeed(words: words).words
        #expect(deed == words)
    }

    @Test("Errors have the names and numbers of session errors", arguments: SessionErrorCode.allCases)
    func codes(_ code: SessionErrorCode) throws {
        for word in [code.name, "\(code.rawValue)"] {
            let effect = try AppFault(words: ["fail", "message", "with=\(word)"]).effect
            #expect(effect == .fail(.message, code), "“\(word)” is not taken as \(code)")
        }
    }

    @Test("Faults at the app always concern incoming content; “duplicate” without “at-app” concerns packages")
    func places() throws {
        let atApp = try AppFault(words: ["duplicate", "in", "context", "at-app"]).effect
        #expect(atApp == .duplicate(.context))
        let ofPackages = try FaultDeed(words: ["duplicate", "in", "context"])
        #expect(ofPackages == .add(FaultRule(.duplicate, .context, .incoming)))
    }

    @Test(
        "An invalid fault is refused with a text that lists what is allowed",
        arguments: [
            ("duplicate out message at-app", "message, context, user-info, file"),
            ("duplicate reply at-app", "message, context, user-info, file"), ("replay message", "context"),
            ("fail message", "with="), ("fail message with=7000", "genericError (7001)"),
            ("fail message with=notReachabel", "notReachable (7007)"), ("fail reply with=notReachable", "activation"),
            ("slow isReachable", "by="), ("slow isReacheable by=2s", "did you mean “isReachable”"),
            ("early context by=2s", "refresh-task"), ("early refresh-task", "by="), ("replay context by=2s", "nth="),
        ])
    func refused(_ text: String, _ allowed: String) {
        do {
            let deed = try FaultDeed(words: text.split(separator: " ").map(String.init))
            Issue.record("“\(text)” was taken as \(deed)")
        } catch {
            #expect("\(error)".contains(allowed), "“\(text)”: \(error)")
        }
    }

    @Test("A fault applies to its target, in its turn, and to nothing else")
    func meets() throws {
        var faults = try faults(
            "fail user-info with=7017 nth=2", "duplicate context at-app times=1", "slow any by=1s",
            "early refresh-task by=1s")
        let occasions: [AppFault.Occasion] = [
            .attempted(.userInfo), .attempted(.file), .attempted(.userInfo), .attempted(.userInfo), .given(.context),
            .given(.context), .contextFollowed, .read(.isPaired), .woken, .given(.message),
        ]
        let met = occasions.map { faults.meet($0)?.name }
        #expect(met == [nil, nil, "fail", nil, "duplicate", nil, nil, "slow", "early", nil])
        #expect(faults.injectedCount == 4)
        faults.clear()
        let cleared = faults.meet(.read(.isPaired))
        #expect(cleared == nil)
    }

    @Test("Of two matching faults the first applies, and both count the occasion")
    func first() throws {
        var faults = try faults("fail message with=7007", "fail message with=7014 nth=2")
        let met = (0..<2).map { _ in faults.meet(.attempted(.message))?.effect }
        #expect(met == [.fail(.message, .notReachable), .fail(.message, .notReachable)])
        faults = try self.faults("fail message with=7014 nth=2", "fail message with=7007")
        let other = (0..<2).map { _ in faults.meet(.attempted(.message))?.effect }
        #expect(other == [.fail(.message, .notReachable), .fail(.message, .deliveryFailed)])
    }
}
