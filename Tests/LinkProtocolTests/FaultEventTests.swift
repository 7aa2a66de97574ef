import Testing

@testable import LinkProtocol

@Suite("Random faults as rules")
struct FaultEventTests {
    @Test("A rule is recognized from its event about a package, for each target and direction")
    func rules() throws {
        let span = Duration.milliseconds(1_500)
        for effect in [.drop, .duplicate, .hold, .delay(span), .lose(span)] as [FaultRule.Effect] {
            for target in FaultTarget.allCases where target != .any {
                for direction in FaultRule.Direction.allCases {
                    let rule = FaultRule(effect, target, direction, FaultSelection(nth: 3))
                    let event = try #require(FaultEvent(rule.event(target), number: 3, span: span))
                    #expect(event.words == rule.words)
                    let read = try FaultRule(words: event.words)
                    #expect(read == rule)
                }
            }
        }
        for content in AppFault.Content.allCases {
            let fault = AppFault(.duplicate(content), FaultSelection(nth: 2))
            let event = try #require(FaultEvent(fault.event(.given(content)), number: 2, span: span))
            let read = try AppFault(words: event.words)
            #expect(read == fault)
        }
        #expect(FaultEvent("outgoing piece # is late, by up to 0.5 s", number: 1, span: span) == nil)
        #expect(FaultEvent("", number: 1, span: span) == nil)
    }

    @Test("The duration is read from the question about the event, and from nothing else")
    func spans() {
        let event = "the link is lost with outgoing message #"
        #expect(FaultEvent.span("\(event)\(FaultRule.longest)60.5 s", of: event, part: 0.5) == .milliseconds(30_250))
        #expect(FaultEvent.span("\(event)\(FaultRule.longest)60.5 s", of: "other", part: 0.5) == nil)
        #expect(FaultEvent.span("\(event)\(FaultRule.longest)long s", of: event, part: 0.5) == nil)
        #expect(FaultEvent.span(event, of: event, part: 0.5) == nil)
    }

    @Test("A question about another event of the same length does not state the duration")
    func otherEvents() {
        let longest = FaultRule.longest
        let own = FaultEvent.span("one\(longest)60.5 s", of: "one", part: 1)
        #expect(own == .milliseconds(60_500))
        let other = FaultEvent.span("two\(longest)60.5 s", of: "one", part: 1)
        #expect(other == nil)
    }
}
