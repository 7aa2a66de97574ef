import Testing
import Words

@testable import LinkProtocol

@Suite("Link conditioner")
struct ConditionerTests {
    private func stream(_ change: (inout LinkCondition.Direction) -> Void) -> ConditionedStream {
        var direction = LinkCondition.Direction()
        change(&direction)
        return ConditionedStream(direction, Chance(seed: 7))
    }

    private func bytes(_ count: Int) -> ArraySlice<UInt8> { (0..<count).map { UInt8(truncatingIfNeeded: $0) }[...] }

    @Test("Latency delays bytes, and jitter never reorders them")
    func latency() {
        var stream = stream {
            $0.latency = .milliseconds(100)
            $0.jitter = .milliseconds(50)
        }
        for index in 0..<100 { stream.push([UInt8(index)], at: at(Double(index) / 1_000)) }
        #expect(stream.take(at: at(0.099)).bytes == [])
        let next = stream.nextDeadline
        #expect(next.map { $0 >= at(0.1) && $0 <= at(0.15) } == true, "\(String(describing: next))")
        #expect(stream.take(at: at(0.3)).bytes == (0..<100).map { UInt8($0) })
        #expect(stream.pendingBytes == 0)
    }

    @Test("Bandwidth limits the bytes per second, gradually")
    func bandwidth() {
        var stream = stream { $0.bytesPerSecond = 1_000 }
        stream.push(bytes(3_000), at: at(0))
        #expect(abs(stream.take(at: at(0.5)).bytes.count - 500) <= 20)
        #expect(abs(stream.take(at: at(1)).bytes.count - 500) <= 20)
        #expect(abs(stream.take(at: at(3)).bytes.count - 2_000) <= 40)
    }

    @Test("A slow writer sends pieces with pauses between them")
    func pieces() {
        var stream = stream {
            $0.pieceBytes = 10
            $0.pause = .milliseconds(100)
        }
        stream.push(bytes(25), at: at(0))
        #expect((1...3).map { stream.take(at: at(Double($0) / 10)).bytes.count } == [10, 10, 5])
    }

    @Test("A stalled link loses nothing, and delivers everything when it resumes")
    func stall() {
        var stream = stream { $0.isStalled = true }
        stream.push(bytes(50), at: at(0))
        #expect(stream.nextDeadline == nil)
        #expect(stream.take(at: at(100)).bytes == [])
        stream.become(LinkCondition.Direction(), at: at(101))
        #expect(stream.take(at: at(101)).bytes == Array(bytes(50)))
    }

    @Test("A cut passes the first bytes of a frame, and no more")
    func cut() {
        var stream = stream { $0.cutAfterBytes = 30 }
        stream.push(bytes(20), at: at(0))
        #expect(stream.take(at: at(0)).isCut == false)
        stream.push(bytes(20), at: at(1))
        let (rest, isCut) = stream.take(at: at(1))
        #expect(isCut)
        #expect(rest.count == 10)
    }

    @Test("A push tells by how much a part of it is later than the latency")
    func lateness() {
        var stream = stream {
            ($0.latency, $0.jitter, $0.distribution) = (.milliseconds(10), .milliseconds(50), .uniform)
        }
        let late = stream.push([1], at: at(0))
        #expect(late > .zero && late <= .milliseconds(50), "\(late)")
        #expect(stream.nextDeadline == at(0) + .milliseconds(10) + late)
        var punctual = self.stream { $0.latency = .milliseconds(10) }
        #expect(punctual.push([1], at: at(0)) == .zero)
    }

    @Test("A seed determines the course of events")
    func seed() {
        func releases(_ seed: UInt64) -> [MonotonicTime?] {
            var direction = LinkCondition.Direction()
            direction.latency = .milliseconds(10)
            direction.jitter = .milliseconds(90)
            direction.distribution = .exponential
            var stream = ConditionedStream(direction, Chance(seed: seed))
            return (0..<20).map { index in
                stream.push([1], at: at(Double(index)))
                defer { _ = stream.take(at: at(Double(index) + 0.9)) }
                return stream.nextDeadline
            }
        }
        #expect(releases(1) == releases(1))
        #expect(releases(1) != releases(2))
    }

    /// Returns the delays of single bytes beyond the latency of 1 s, in parts of the jitter.
    private func delays(
        _ distribution: LinkCondition.Distribution, count: Int = 2_000,
        _ chance: (Int) -> Chance = { Chance(seed: UInt64($0)) }
    ) -> [Double] {
        var direction = LinkCondition.Direction()
        (direction.latency, direction.jitter, direction.distribution) = (.seconds(1), .milliseconds(100), distribution)
        return (0..<count).map { index in
            // A separate stream for each: bytes of one stream cannot overtake.
            var stream = ConditionedStream(direction, chance(index))
            stream.push([1], at: at(0))
            return stream.nextDeadline.map { ($0 - at(0) - .seconds(1)).inSeconds * 10 } ?? -100
        }
    }

    @Test("Delays follow their distribution")
    func distributions() {
        func mean(_ delays: [Double]) -> Double { delays.reduce(0, +) / Double(delays.count) }
        let uniform = delays(.uniform)
        #expect(uniform.filter { !(0...1).contains($0) } == [])
        #expect((0.45...0.55).contains(mean(uniform)), "\(mean(uniform))")
        let normal = delays(.normal)
        let deviation = mean(normal.map { $0 * $0 }).squareRoot()
        #expect((-0.1...0.1).contains(mean(normal)), "\(mean(normal)), \(deviation)")
        #expect((0.9...1.1).contains(deviation), "\(mean(normal)), \(deviation)")
        #expect((0.13...0.19).contains(Double(normal.count { $0 > 1 }) / 2_000))
        let exponential = delays(.exponential)
        #expect((0.9...1.1).contains(mean(exponential)), "\(mean(exponential))")
        let longest = exponential.max() ?? 0
        #expect(longest > 4)
        let spikes = delays(.spikes)
        let late = spikes.count { $0 > 0 }
        #expect((80...180).contains(late))
        #expect(spikes.filter { !(0...1).contains($0) } == [])
    }

    @Test(
        "The default decision is the shortest delay, and a greater number a longer one",
        arguments: LinkCondition.Distribution.allCases)
    func decided(_ distribution: LinkCondition.Distribution) {
        func delay(_ taken: UInt32) -> Double {
            delays(distribution, count: 1) { _ in Chance { _, _, options, _ in min(taken, options - 1) } }[0]
        }
        let shortest = delay(0)
        #expect(distribution == .normal ? shortest < -5 : shortest == 0, "\(shortest)")
        let growing = [0, 1, 100, 500, 900, 999].map { delay($0) }
        #expect(growing == growing.sorted())
        #expect(Set(growing).count == growing.count)
    }

    @Test("A condition survives conversion to and from settings", arguments: LinkPreset.allCases)
    func settings(_ preset: LinkPreset) throws {
        let condition = try LinkCondition(settings: ["preset": preset.rawValue])
        #expect(condition == preset.condition)
        let read = try LinkCondition(settings: condition.settings)
        #expect(read == condition)
        let unsaid = condition.settings.filter { !condition.description.contains("\($0.key)=\($0.value)") }
        #expect(unsaid.isEmpty)
    }

    @Test(
        "Each setting changes its direction alone, and is written as it was read",
        arguments: [
            ("latency", "80ms"), ("jitter", "10ms"), ("bandwidth", "20k"), ("piece", "512"), ("pause", "5ms"),
            ("stall", "true"), ("cut-after", "100k"),
        ])
    func eachSetting(_ key: String, _ value: String) throws {
        let perfect = LinkCondition()
        let condition = try LinkCondition(settings: ["out.\(key)": value])
        #expect(condition.outgoing != perfect.outgoing)
        #expect(condition.incoming == perfect.incoming)
        let again = try LinkCondition(settings: condition.settings)
        #expect(again == condition)
    }

    @Test("One direction can differ from the common settings")
    func directions() throws {
        let condition = try LinkCondition(settings: ["latency": "80ms", "in.latency": "1s", "out.bandwidth": "20k"])
        #expect(condition.outgoing.latency == .milliseconds(80))
        #expect(condition.incoming.latency == .seconds(1))
        #expect(condition.outgoing.bytesPerSecond == 20_000)
        #expect(condition.incoming.bytesPerSecond == nil)
    }

    @Test(
        "An impossible value is refused with its key",
        arguments: [
            ("latency", "80"), ("latency", "2h"), ("bandwidth", "0"), ("bandwidth", "fast"), ("stall", "maybe"),
            ("preset", "carrier-pigeon"), ("colour", "blue"), ("in.colour", "blue"), ("piece", "-3"), ("up", "nan s"),
            ("latency", "99999999s"),
        ])
    func refused(_ key: String, _ value: String) {
        let error = #expect(throws: WordError.self) { try LinkCondition(settings: [key: value]) }
        #expect("\(error.map(String.init(describing:)) ?? "nothing")".contains(key))
    }
}
