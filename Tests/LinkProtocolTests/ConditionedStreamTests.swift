import Testing

@testable import LinkProtocol

@Suite("One direction of a conditioned link")
struct ConditionedStreamTests {
    private static func stream(_ change: (inout LinkCondition.Direction) -> Void) -> ConditionedStream {
        var direction = LinkCondition.Direction()
        change(&direction)
        return ConditionedStream(direction, Chance(seed: 7))
    }

    private static let bytes: [UInt8] = Array(0..<50)

    @Test("A connection breaks with the byte at the limit, and not with the one before it")
    func cut() {
        var passed: [Int] = []
        var cuts: [Bool] = []
        for count in [29, 30, 31] {
            var stream = Self.stream { $0.cutAfterBytes = 30 }
            stream.push(Self.bytes.prefix(count), at: at(0))
            let (due, isCut) = stream.take(at: at(0))
            passed.append(due.count)
            cuts.append(isCut)
        }
        #expect(passed == [29, 30, 30])
        #expect(cuts == [false, true, true])
    }

    @Test("A limit of no bytes lets nothing through")
    func cutAtOnce() {
        var stream = Self.stream { $0.cutAfterBytes = 0 }
        stream.push(Self.bytes.prefix(1), at: at(0))
        let (due, isCut) = stream.take(at: at(0))
        #expect(due == [])
        #expect(isCut)
    }

    @Test("A stalled connection does not break, whatever is queued")
    func stalled() {
        var stream = Self.stream {
            $0.isStalled = true
            $0.cutAfterBytes = 10
        }
        stream.push(Self.bytes.prefix(20), at: at(0))
        let (due, isCut) = stream.take(at: at(100))
        #expect(due == [])
        #expect(!isCut)
        #expect(stream.pendingBytes == 20)
        #expect(stream.nextDeadline == nil)
    }

    @Test("Another condition begins anew with what is queued: its times, and its count of bytes")
    func changed() {
        var stream = Self.stream {
            $0.bytesPerSecond = 1_000
            $0.cutAfterBytes = 60
        }
        stream.push(Self.bytes[...], at: at(0))
        let (first, isCut) = stream.take(at: at(0.02))
        #expect(first == Array(Self.bytes.prefix(20)))
        #expect(!isCut)
        #expect(stream.pendingBytes == 30)
        var direction = LinkCondition.Direction()
        direction.cutAfterBytes = 40
        stream.become(direction, at: at(0.03))
        #expect(stream.pendingBytes == 30)
        let (rest, isCutThen) = stream.take(at: at(0.03))
        #expect(rest == Array(Self.bytes.suffix(30)))
        #expect(!isCutThen)
        #expect(stream.pendingBytes == 0)
        #expect(stream.nextDeadline == nil)
        stream.push(Self.bytes.prefix(20), at: at(0.04))
        let (last, isCutAtLast) = stream.take(at: at(0.04))
        #expect(last.count == 10)
        #expect(isCutAtLast)
    }

    @Test("A slower link applies to what is queued from the time of the change")
    func slower() {
        var stream = Self.stream { $0.latency = .seconds(1) }
        stream.push(Self.bytes.prefix(20), at: at(0))
        #expect(stream.nextDeadline == at(1))
        var direction = LinkCondition.Direction()
        direction.latency = .seconds(2)
        stream.become(direction, at: at(0.5))
        #expect(stream.nextDeadline == at(2.5))
        let early = stream.take(at: MonotonicTime(nanoseconds: at(2.5).nanoseconds - 1)).bytes
        #expect(early == [])
        let due = stream.take(at: at(2.5)).bytes
        #expect(due == Array(Self.bytes.prefix(20)))
    }

    @Test(
        "Without jitter the delay is the latency, and nothing is asked",
        arguments: LinkCondition.Distribution.allCases)
    func noJitter(_ distribution: LinkCondition.Distribution) {
        let world = ScriptedWorld([])
        var direction = LinkCondition.Direction()
        direction.latency = .milliseconds(10)
        direction.distribution = distribution
        var stream = ConditionedStream(direction, world.chance)
        stream.push(Self.bytes.prefix(1), at: at(0))
        #expect(stream.nextDeadline == at(0.01))
        #expect(world.asked.isEmpty)
    }

    @Test("With jitter the question names the direction and the longest delay")
    func question() {
        let world = ScriptedWorld([500])
        var direction = LinkCondition.Direction()
        direction.jitter = .milliseconds(100)
        var stream = ConditionedStream(direction, world.chance, name: "outgoing")
        stream.push(Self.bytes.prefix(1), at: at(0))
        #expect(stream.nextDeadline == at(0.05))
        #expect(world.asked.map(\.subject) == ["outgoing piece # is late, by up to 0.1 s"])
    }

    @Test("A pause without a size of pieces is none")
    func pauseAlone() {
        var stream = Self.stream { $0.pause = .seconds(1) }
        stream.push(Self.bytes[...], at: at(0))
        #expect(stream.nextDeadline == at(0))
    }
}
