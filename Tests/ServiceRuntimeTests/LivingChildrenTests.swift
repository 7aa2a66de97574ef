import Dispatch
import Foundation
import Locking
import TestSupport
import Testing

@testable import Processes

@Suite("Living children")
struct LivingChildrenTests {
    @Test("A child has a number from its beginning to its end")
    func lifetime() {
        var children = LivingChildren()
        let (first, second) = (children.newName(), children.newName())
        #expect(children.number(of: first) == nil)
        children.began(first, as: 700)
        children.began(second, as: 600)
        #expect(children.all == [600, 700])
        children.ended(first)
        #expect(children.number(of: first) == nil && children.number(of: second) == 600)
        #expect(children.all == [600])
    }

    @Test("A child whose end is told first has no number, and the next one with the same number is another")
    func endFirst() {
        var children = LivingChildren()
        let (short, long) = (children.newName(), children.newName())
        children.ended(short)
        children.began(short, as: 700)
        #expect(children.all == [])
        children.began(long, as: 700)
        #expect(children.number(of: long) == 700 && children.number(of: short) == nil)
        children.ended(long)
        #expect(children.all == [])
    }

    @Test("After many short programs, none is left whose number another process could have")
    func shortPrograms() {
        let numbers = Collector<Int32>()
        DispatchQueue.concurrentPerform(iterations: 8) { _ in
            for _ in 0..<50 {
                do {
                    let process = try BackgroundProcess(
                        "short", executable: URL(filePath: "/bin/true"), arguments: [])
                    #expect(process.waitForEnd(within: .seconds(60)), "a program that does nothing did not end")
                    numbers.add(process.identifier)
                } catch {
                    Issue.record(error)
                }
            }
        }
        #expect(numbers.all.count == 400)
        let left = Set(numbers.all).intersection(BackgroundProcess.living.withLock { $0.all })
        #expect(left == [], "\(left.count) of 400 are taken for alive")
    }
}
