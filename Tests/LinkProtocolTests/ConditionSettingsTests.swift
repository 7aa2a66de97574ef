import Testing
import Words

@testable import LinkProtocol

@Suite("Settings of link conditions")
struct ConditionSettingsTests {
    private static let presets = LinkPreset.allCases.map(\.rawValue)
    private static let subject = "link condition"

    @Test("A time up or down makes the link flap; one that is not set is 10 s up or 5 s down")
    func flapping() throws {
        let up = try LinkCondition(settings: ["up": "2s"])
        #expect(up.flapping == LinkCondition.Flapping(up: .seconds(2), down: .seconds(5)))
        let down = try LinkCondition(settings: ["down": "3s"])
        #expect(down.flapping == LinkCondition.Flapping(up: .seconds(10), down: .seconds(3)))
        let both = try LinkCondition(settings: ["up": "2s", "down": "3s"])
        #expect(both.flapping == LinkCondition.Flapping(up: .seconds(2), down: .seconds(3)))
    }

    @Test("A flapping link is otherwise perfect, and a link that does not flap has no times")
    func flappingAlone() throws {
        var expected = LinkCondition()
        expected.flapping = LinkCondition.Flapping(up: .seconds(2), down: .seconds(5))
        let flapping = try LinkCondition(settings: ["up": "2s"])
        #expect(flapping == expected)
        let steady = try LinkCondition(settings: ["latency": "1ms"])
        #expect(steady.flapping == nil)
    }

    @Test("A time of the flapping preset is replaced alone")
    func flappingPreset() throws {
        var expected = LinkPreset.flapping.condition
        expected.flapping = LinkCondition.Flapping(up: .milliseconds(200), down: .seconds(5))
        let condition = try LinkCondition(settings: ["preset": "flapping", "up": "200ms"])
        #expect(condition == expected)
    }

    @Test("A flapping link is written with both times")
    func flappingWritten() throws {
        let condition = try LinkCondition(settings: ["up": "2s"])
        #expect(condition.description == "up=2000ms down=5000ms")
        let again = try LinkCondition(words: condition.words)
        #expect(again == condition)
    }

    @Test("Only refusing is set by its flag, and taken back by it")
    func refuse() throws {
        var expected = LinkCondition()
        expected.refuses = true
        let refusing = try LinkCondition(settings: ["refuse": "on"])
        #expect(refusing == expected)
        #expect(refusing.description == "refuse=on")
        let back = try LinkCondition(settings: ["preset": "out-of-range", "refuse": "off"])
        #expect(back == LinkCondition())
        #expect(back.description == "perfect")
    }

    @Test("The delay of accepting is set alone, and written")
    func acceptDelay() throws {
        var expected = LinkCondition()
        expected.acceptDelay = .milliseconds(300)
        let condition = try LinkCondition(settings: ["accept-delay": "300ms"])
        #expect(condition == expected)
        #expect(condition.description == "accept-delay=300ms")
    }

    /// Every setting of a direction, with its value.
    private static let settings = [
        "latency": "80ms", "jitter": "10ms", "distribution": "spikes", "bandwidth": "20k", "piece": "512",
        "pause": "5ms", "stall": "on", "cut-after": "100k",
    ]
    private static let words =
        "latency=80ms jitter=10ms distribution=spikes bandwidth=20000 piece=512 pause=5ms stall=on cut-after=100000"

    private static var direction: LinkCondition.Direction {
        var direction = LinkCondition.Direction()
        direction.latency = .milliseconds(80)
        direction.jitter = .milliseconds(10)
        direction.distribution = .spikes
        direction.bytesPerSecond = 20_000
        direction.pieceBytes = 512
        direction.pause = .milliseconds(5)
        direction.isStalled = true
        direction.cutAfterBytes = 100_000
        return direction
    }

    @Test("Each setting has its own place, in both directions")
    func bothDirections() throws {
        let condition = try LinkCondition(settings: Self.settings)
        #expect(condition.outgoing == Self.direction)
        #expect(condition.incoming == Self.direction)
        #expect(condition.description == Self.words)
    }

    @Test("With a prefix each setting changes one direction, and is written with it", arguments: ["in.", "out."])
    func oneDirection(_ prefix: String) throws {
        var expected = LinkCondition()
        if prefix == "in." { expected.incoming = Self.direction } else { expected.outgoing = Self.direction }
        var settings: [String: String] = [:]
        for (key, value) in Self.settings { settings[prefix + key] = value }
        let condition = try LinkCondition(settings: settings)
        #expect(condition == expected)
        let words = Self.words.split(separator: " ").map { "\(prefix)\($0)" }
        #expect(condition.words == words)
    }

    @Test("Directions that differ are written outgoing first, even if only one value differs")
    func different() throws {
        let condition = try LinkCondition(settings: ["latency": "80ms", "in.stall": "on"])
        #expect(condition.description == "out.latency=80ms in.latency=80ms in.stall=on")
    }

    @Test("A stall that is off is none, also for one direction of a stalled link")
    func stallOff() throws {
        let off = try LinkCondition(settings: ["stall": "off"])
        #expect(off == LinkCondition())
        let half = try LinkCondition(settings: ["stall": "on", "out.stall": "off"])
        #expect(!half.outgoing.isStalled)
        #expect(half.incoming.isStalled)
    }

    @Test("What is set changes a preset, and leaves the rest of it")
    func overPreset() throws {
        var expected = LinkPreset.bluetooth.condition
        expected.outgoing.latency = .seconds(1)
        expected.incoming.latency = .seconds(1)
        let words = try LinkCondition(words: ["latency=1s", "bluetooth"])
        #expect(words == expected)
        let settings = try LinkCondition(settings: ["preset": "bluetooth", "latency": "1s"])
        #expect(settings == expected)
    }

    @Test("A preset may be given with its key")
    func presetKey() throws {
        let condition = try LinkCondition(words: ["preset=wifi"])
        #expect(condition == LinkPreset.wifi.condition)
    }

    @Test("No words are no condition, not a perfect one")
    func noWords() {
        #expect(throws: WordError.missing(subject: Self.subject, allowed: Self.presets)) {
            try LinkCondition(words: [])
        }
    }

    @Test("No settings are a perfect link")
    func noSettings() throws {
        let condition = try LinkCondition(settings: [:])
        #expect(condition == LinkCondition())
        #expect(condition.words == ["perfect"])
        #expect(condition.settings.isEmpty)
    }

    @Test(
        "A key that comes twice is refused with the second word",
        arguments: [["latency=1s", "latency=2s"], ["wifi", "perfect"], ["preset=wifi", "wifi"], ["up=1s", "up=1s"]])
    func repeated(_ words: [String]) throws {
        let last = try #require(words.last)
        #expect(throws: WordError.repeated(last, subject: Self.subject)) { try LinkCondition(words: words) }
    }

    @Test("A word that is neither a preset nor KEY=VALUE is refused with what is allowed")
    func unknownWord() {
        let keys = [
            "refuse=", "accept-delay=", "up=", "down=", "latency=", "jitter=", "distribution=", "bandwidth=", "piece=",
            "pause=", "stall=", "cut-after=",
        ]
        let allowed = Self.presets + keys
        #expect(throws: WordError.unknown("latency", subject: Self.subject, allowed: allowed)) {
            try LinkCondition(words: ["latency"])
        }
    }

    @Test("An unknown preset is refused with the presets")
    func unknownPreset() {
        #expect(throws: WordError.unknown("", subject: "preset", allowed: Self.presets)) {
            try LinkCondition(words: ["preset="])
        }
    }

    @Test(
        "A key that no direction has is refused as it was written",
        arguments: ["colour", "in.refuse", "out.up", "in.in.latency", "in.preset", "out.", "OUT.latency", ""])
    func unknownKey(_ key: String) {
        #expect(throws: WordError.unknownOption(key, subject: Self.subject, allowed: LinkCondition.keys)) {
            try LinkCondition(settings: [key: "1s"])
        }
    }

    @Test("A value goes on after a second equals sign, and is refused whole")
    func secondEquals() {
        let allowed = LinkCondition.Distribution.allCases.map(\.rawValue)
        #expect(throws: WordError.unknown("normal=2", subject: "in.distribution", allowed: allowed)) {
            try LinkCondition(words: ["in.distribution=normal=2"])
        }
    }

    @Test(
        "A wrong value is refused with the key as it was written",
        arguments: ["up", "down", "accept-delay", "latency", "in.jitter", "out.pause", "refuse", "stall", "piece"])
    func wrongValue(_ key: String) {
        let error = #expect(throws: WordError.self) { try LinkCondition(settings: [key: "?"]) }
        #expect(error?.key == key)
    }

    @Test("Every distribution is read by its name", arguments: LinkCondition.Distribution.allCases)
    func distribution(_ distribution: LinkCondition.Distribution) throws {
        let condition = try LinkCondition(settings: ["distribution": distribution.rawValue])
        #expect(condition.outgoing.distribution == distribution)
        #expect(condition.incoming.distribution == distribution)
        // The usual distribution is not written.
        let isWritten = condition.settings["distribution"] == distribution.rawValue
        #expect(isWritten == (distribution != .uniform))
    }
}
