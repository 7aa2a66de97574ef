import Combine
import Foundation
import Testing

@Suite("Operators")
struct OperatorTests {
    private struct Point {
        let x: Int
        let y: Int
    }

    /// Receives printed lines.
    private final class Lines: TextOutputStream {
        var text = ""
        func write(_ string: String) { text += string }
    }

    @Test("map transforms by a closure or a key path")
    func map() {
        let closure = (1...3).publisher.map { $0 * 2 }.record()
        #expect(closure.events == ["2", "4", "6", "finished"])
        let path = [Point(x: 1, y: 2)].publisher.map(\.x).record()
        #expect(path.events == ["1", "finished"])
        let paths = [Point(x: 1, y: 2)].publisher.map(\.x, \.y).record()
        #expect(paths.events == ["(1, 2)", "finished"])
    }

    @Test("tryMap ends with the error, and cancels its upstream")
    func tryMap() {
        let source = Source<Int, Never>()
        let recorder = source.tryMap { value in
            if value == 2 { throw Problem("two") }
            return value
        }.record()
        source.send(1)
        source.send(2)
        source.send(3)
        #expect(recorder.events == ["1", "failed: two"])
        #expect(source.calls == ["request unlimited", "cancel"])
    }

    @Test("removeDuplicates compares with the last value that was sent")
    func removeDuplicates() {
        let equal = [1, 1, 2, 2, 1].publisher.removeDuplicates().record()
        #expect(equal.events == ["1", "2", "1", "finished"])
        let near = [1, 2, 3, 4, 5].publisher.removeDuplicates { abs($0 - $1) < 2 }.record()
        #expect(near.events == ["1", "3", "5", "finished"])
    }

    @Test("scan sends each result, reduce and count the last one")
    func scan() {
        let scan = (1...3).publisher.scan(0, +).record()
        #expect(scan.events == ["1", "3", "6", "finished"])
        let reduce = (1...3).publisher.reduce(10, +).record()
        #expect(reduce.events == ["16", "finished"])
        let count = "abcd".publisher.count().record()
        #expect(count.events == ["4", "finished"])
    }

    @Test("Operators with state begin anew for each subscriber")
    func fresh() {
        let publisher = (1...3).publisher.scan(0, +).dropFirst().prefix(1)
        let first = publisher.record()
        let second = publisher.record()
        #expect(first.events == ["3", "finished"])
        #expect(second.events == ["3", "finished"])
    }

    @Test("prefix finishes directly after its last value, and cancels")
    func prefix() {
        let source = Source<Int, Never>()
        let recorder = source.prefix(2).record()
        source.send(1)
        #expect(recorder.events == ["1"])
        source.send(2)
        #expect(recorder.events == ["1", "2", "finished"])
        #expect(source.calls == ["request unlimited", "cancel"])
        let nothing = Source<Int, Never>().prefix(0).record()
        #expect(nothing.events == ["finished"])
    }

    @Test("prefix never sends more than it should, even if its value makes the source send again")
    func prefixNested() {
        let subject = PassthroughSubject<Int, Never>()
        let recorder = subject.prefix(1).record { _ in
            subject.send(99)
            return .none
        }
        subject.send(1)
        #expect(recorder.events == ["1", "finished"])
    }

    @Test("Parts of a sequence: first, last, while, drop, output")
    func parts() {
        let numbers = (1...6).publisher
        let first = numbers.first { $0 > 3 }.record()
        #expect(first.events == ["4", "finished"])
        let last = numbers.last().record()
        #expect(last.events == ["6", "finished"])
        let start = numbers.prefix { $0 < 3 }.record()
        #expect(start.events == ["1", "2", "finished"])
        let end = numbers.drop { $0 < 5 }.record()
        #expect(end.events == ["5", "6", "finished"])
        let dropped = numbers.dropFirst(4).record(.max(1))
        #expect(dropped.events == ["5"])
        let middle = numbers.output(in: 1...2).record()
        #expect(middle.events == ["2", "3", "finished"])
        let none = [Int]().publisher.first().record()
        #expect(none.events == ["finished"])
    }

    @Test("Errors are replaced, caught, changed, and retried")
    func errors() {
        let failing = Fail<Int, Problem>(error: Problem())
        let replaced = failing.replaceError(with: 0).record()
        #expect(replaced.events == ["0", "finished"])
        let caught = failing.catch { _ in Just(5) }.record()
        #expect(caught.events == ["5", "finished"])
        let changed = failing.mapError { Problem("\($0)!") }.record()
        #expect(changed.events == ["failed: problem!"])
        var attempts = 0
        let retried = Deferred { () -> Fail<Int, Problem> in
            attempts += 1
            return failing
        }.retry(2).record()
        #expect(retried.events == ["failed: problem"])
        #expect(attempts == 3)
    }

    @Test("replaceError keeps its value until it is requested")
    func replaceErrorDemand() {
        let recorder = Fail<Int, Problem>(error: Problem()).replaceError(with: 1).record(.none)
        #expect(recorder.events == [])
        recorder.request(.max(1))
        #expect(recorder.events == ["1", "finished"])
    }

    @Test("replaceNil replaces only nil")
    func replaceNil() {
        let recorder = [1, nil, 3].publisher.replaceNil(with: 0).record()
        #expect(recorder.events == ["1", "0", "3", "finished"])
    }

    @Test("prepend and append put values before and after")
    func concatenation() {
        let recorder = Just(2).prepend(0, 1).append(Just(3)).record()
        #expect(recorder.events == ["0", "1", "2", "3", "finished"])
        let slow = Just(2).prepend(1).record(.max(1))
        #expect(slow.events == ["1"])
        slow.request(.max(1))
        #expect(slow.events == ["1", "2", "finished"])
    }

    @Test("handleEvents is called before the event is passed on")
    func handleEvents() {
        let subject = PassthroughSubject<Int, Never>()
        var heard: [String] = []
        let publisher = subject.handleEvents(
            receiveSubscription: { _ in heard.append("subscription") }, receiveOutput: { heard.append("output \($0)") },
            receiveCompletion: { _ in heard.append("completion") }, receiveCancel: { heard.append("cancel") },
            receiveRequest: { heard.append("request \($0)") })
        let first = publisher.sink { heard.append("value \($0)") }
        subject.send(1)
        first.cancel()
        #expect(heard == ["subscription", "request unlimited", "output 1", "value 1", "cancel"])
        heard = []
        let second = publisher.sink(receiveCompletion: { _ in heard.append("end") }, receiveValue: { _ in })
        subject.send(completion: .finished)
        second.cancel()
        #expect(heard == ["subscription", "request unlimited", "completion", "end"])
    }

    @Test("print writes each event as a line")
    func print() {
        let lines = Lines()
        let recorder = Just(1).print("test", to: lines).record(.max(1))
        #expect(recorder.events == ["1", "finished"])
        let text = lines.text.split(separator: "\n").dropFirst()
        #expect(text == ["test: request max(1)", "test: receive value: (1)", "test: receive finished"])
        #expect(lines.text.hasPrefix("test: receive subscription: ("))
    }

    @Test("decode and encode end with the coder's error")
    func coders() {
        let decoded = [Data("[1]".utf8), Data("x".utf8)].publisher.decode(type: [Int].self, decoder: JSONDecoder())
            .mapError { _ in Problem("not JSON") }.record()
        #expect(decoded.events == ["[1]", "failed: not JSON"])
        let encoded = Just([2]).encode(encoder: JSONEncoder()).map { String(decoding: $0, as: UTF8.self) }.record()
        #expect(encoded.events == ["[2]", "finished"])
    }

    @Test("Deferred makes a publisher for each subscriber, and a future works once")
    func deferred() {
        var made = 0
        let deferred = Deferred { () -> Just<Int> in
            made += 1
            return Just(made)
        }
        #expect(made == 0)
        let first = deferred.record()
        let second = deferred.record()
        #expect(first.events + second.events == ["1", "finished", "2", "finished"])
        var worked = 0
        let future = Future<Int, Never> { promise in
            worked += 1
            promise(.success(worked))
            promise(.success(99))
        }
        #expect(worked == 1)
        let third = future.record()
        let fourth = future.record()
        #expect(third.events + fourth.events == ["1", "finished", "1", "finished"])
    }

    @Test("A future answers those who wait, and those who cancelled not")
    func futureLater() {
        var promise: Future<Int, Problem>.Promise?
        let future = Future<Int, Problem> { promise = $0 }
        let first = future.record()
        let second = future.record()
        second.cancel()
        promise?(.failure(Problem("late")))
        #expect(first.events == ["failed: late"])
        #expect(second.events == [])
    }

    @Test("Optionals, results and empty publishers")
    func sources() {
        let some = Optional(1).publisher.record()
        #expect(some.events == ["1", "finished"])
        let failure = Result<Int, Problem>.failure(Problem()).publisher.record()
        #expect(failure.events == ["failed: problem"])
        let never = Empty<Int, Never>(completeImmediately: false).record()
        #expect(never.events == [])
        let ignored = (1...3).publisher.ignoreOutput().record()
        #expect(ignored.events == ["finished"])
    }
}
