import Foundation
import Testing

@testable import LinkProtocol

@Suite("Waiters for the ends of entries")
struct EndWaitersTests {
    private static let entry = UUID()
    private static let other = UUID()

    @Test("An end is told to the waiters for it, in order and once, and to no others")
    func ended() {
        var waiters = EndWaiters()
        waiters.add(1, for: Self.entry, until: nil)
        waiters.add(2, for: Self.other, until: at(9))
        waiters.add(3, for: Self.entry, until: at(5))
        let told = waiters.ended(Self.entry)
        #expect(told == [1, 3])
        let again = waiters.ended(Self.entry)
        #expect(again == [])
        #expect(waiters.nextDeadline == at(9))
    }

    @Test("A waiter is told at its deadline, not before; one without a deadline waits on for the same end")
    func patience() {
        var waiters = EndWaiters()
        waiters.add(1, for: Self.entry, until: at(5))
        waiters.add(2, for: Self.entry, until: nil)
        #expect(waiters.nextDeadline == at(5))
        let early = waiters.outOfPatience(at: MonotonicTime(nanoseconds: at(5).nanoseconds - 1))
        #expect(early == [])
        let due = waiters.outOfPatience(at: at(5))
        #expect(due == [1])
        #expect(waiters.nextDeadline == nil)
        let told = waiters.ended(Self.entry)
        #expect(told == [2])
    }

    @Test("Waiters are told in the order of their deadlines; those with the same one, in the order of arrival")
    func order() {
        var waiters = EndWaiters()
        for (waiter, seconds) in [(1, 5), (2, 10), (3, 7), (4, 7), (5, 10), (6, 1)] {
            waiters.add(waiter, for: waiter % 2 == 0 ? Self.entry : Self.other, until: at(Double(seconds)))
        }
        #expect(waiters.nextDeadline == at(1))
        let first = waiters.outOfPatience(at: at(1))
        let rest = waiters.outOfPatience(at: at(10))
        #expect(first == [6])
        #expect(rest == [1, 3, 4, 2, 5])
    }

    @Test("A waiter that was told is not told again at its deadline")
    func told() {
        var waiters = EndWaiters()
        waiters.add(1, for: Self.entry, until: at(5))
        waiters.add(2, for: Self.other, until: at(7))
        let told = waiters.ended(Self.other)
        #expect(told == [2])
        #expect(waiters.nextDeadline == at(5))
        let due = waiters.outOfPatience(at: at(7))
        #expect(due == [1])
        #expect(waiters.nextDeadline == nil)
        let none = [waiters.ended(Self.entry), waiters.ended(Self.other)]
        #expect(none == [[], []])
    }

    @Test("The deadline of a waiter that was told is none any more once the one before it has passed")
    func noStaleDeadline() {
        var waiters = EndWaiters()
        waiters.add(1, for: Self.entry, until: at(5))
        waiters.add(2, for: Self.other, until: at(7))
        waiters.add(3, for: Self.entry, until: at(9))
        let told = waiters.ended(Self.other)
        #expect(told == [2])
        let due = waiters.outOfPatience(at: at(5))
        #expect(due == [1])
        #expect(waiters.nextDeadline == at(9))
        let last = waiters.outOfPatience(at: at(9))
        #expect(last == [3])
        #expect(waiters.nextDeadline == nil)
    }
}
