import ClockKit
import Testing

@Suite("ClockKit")
struct ClockKitTests {
    @Test("Reloads and extensions of the simulated complications are recorded in their order")
    func requests() {
        let server = CLKComplicationServer()
        let early = server.activeComplications
        #expect(early == [])
        let (corner, circle) = (CLKComplication(family: .graphicCorner), CLKComplication(family: .graphicCircular))
        server.simulate(activeComplications: [corner, circle])
        for complication in server.activeComplications ?? [] { server.reloadTimeline(for: complication) }
        server.extendTimeline(for: circle)
        #expect(server.recordedReloads == [corner, circle])
        #expect(server.recordedRequests == [.reload(corner), .reload(circle), .extend(circle)])
        #expect(corner.identifier == CLKDefaultComplicationIdentifier)
    }

    @Test("The oldest requests are forgotten beyond the limit")
    func limit() {
        let server = CLKComplicationServer()
        let (first, later) = (CLKComplication(family: .extraLarge), CLKComplication(family: .circularSmall))
        server.reloadTimeline(for: first)
        for _ in 0..<CLKComplicationServer.maximumRecordedRequests { server.reloadTimeline(for: later) }
        #expect(server.recordedReloads.count == CLKComplicationServer.maximumRecordedRequests)
        #expect(!server.recordedReloads.contains(first))
    }

    @Test("The instance is shared, and the families have Apple's numbers")
    func values() {
        #expect(CLKComplicationServer.sharedInstance() === CLKComplicationServer.sharedInstance())
        #expect(CLKComplicationFamily.allCases.map(\.rawValue) == [0, 1, 2, 3, 4, 6, 7, 8, 9, 10, 11, 12])
    }
}
