import Foundation
import LinkProtocol
import RecordSync
import Testing

@testable import Simulation

@Suite("The order in which a phone may settle quizzes, as the simulation reckons it")
struct SettledOrderTests {
    private let watch = UUID()
    private let other = UUID()
    private let quizzes = (0..<4).map { _ in UUID() }

    private func arrival(_ quiz: Int, after predecessor: Int? = nil, from device: UUID? = nil) -> ReceiverEngine.Arrival
    {
        ReceiverEngine.Arrival(
            quizzes[quiz], from: device ?? watch, after: predecessor.map { quizzes[$0] }, refusal: nil)
    }

    @Test("A quiz that follows the last one of its watch must not be put off, one that does not must not be stored")
    func follows() {
        var order = SettledOrder()
        order.arrived([arrival(0), arrival(1, after: 0), arrival(3, after: 2), arrival(2, after: 1, from: other)])
        for (place, follows) in [true, true, false, false].enumerated() {
            #expect((order.complaint(.putOff, place) != nil) == follows, "\(place)")
            #expect((order.complaint(.stored(sequence: 1), place) == nil) == follows, "\(place)")
            #expect((order.complaint(.repeated, place) == nil) == follows, "\(place)")
            #expect(order.complaint(.unavailable, place) == nil, "\(place)")
        }
    }

    @Test("The next round follows a round that was stored, and not one that was not")
    func rounds() {
        var order = SettledOrder()
        order.arrived([arrival(0)])
        order.ended(isStored: true)
        order.arrived([arrival(1, after: 0)])
        #expect(order.complaint(.putOff, 0) != nil)
        order.ended(isStored: false)
        // A second end of the same round changes nothing.
        order.ended(isStored: true)
        order.arrived([arrival(2, after: 1)])
        #expect(order.complaint(.putOff, 0) == nil)
        order.arrived([arrival(1, after: 0)])
        #expect(order.complaint(.putOff, 0) != nil)
    }
}
