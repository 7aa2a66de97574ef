import Foundation
import LinkProtocol
import Testing
import WatchLinkSimulation

/// A link for an hour without a message.
@Suite("A link at rest")
struct RestingLinkTests {
    @Test("The host answers each heartbeat of the companion, and needs no timer of its own", .simulated(seeds: 1...3))
    func heartbeats() throws {
        let pair = try SimulatedWorld.current.device("pair") {
            do { try RestingLink.shared.begin() } catch { Issue.record(error) }
        }
        pair.atEnd {
            let asked = RestingLink.shared.heartbeats(of: .companion)
            let answered = RestingLink.shared.heartbeats(of: .host)
            #expect(RestingLink.shared.trouble.isEmpty)
            #expect((238...240).contains(asked.count), "heartbeats of an hour")
            #expect(answered.count == asked.count)
            for (question, answer) in zip(asked, answered) {
                let delay = answer.timeIntervalSince(question)
                #expect((0..<0.5).contains(delay), "the host's own timer would be due after half a second")
            }
        }
    }
}
