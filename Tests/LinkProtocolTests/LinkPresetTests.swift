import Testing

@testable import LinkProtocol

@Suite("Presets of link conditions")
struct LinkPresetTests {
    @Test(
        "Each preset has its figures, the same in both directions",
        arguments: [
            (.perfect, "perfect"), (.bluetooth, "latency=30ms jitter=30ms bandwidth=90000"),
            (.bluetoothFar, "latency=150ms jitter=150ms distribution=exponential bandwidth=9000"),
            (.wifi, "latency=4ms jitter=4ms distribution=exponential bandwidth=5000000"),
            (.outOfRange, "refuse=on"),
            (.flapping, "up=10000ms down=5000ms latency=30ms jitter=30ms bandwidth=90000"),
        ] as [(LinkPreset, String)])
    func figures(_ preset: LinkPreset, _ expected: String) {
        #expect(preset.condition.description == expected)
    }

    @Test("Only what differs from a perfect link is set by a preset")
    func fields() {
        let far = LinkPreset.bluetoothFar.condition
        #expect(far.outgoing.latency == .milliseconds(150))
        #expect(far.outgoing.jitter == .milliseconds(150))
        #expect(far.outgoing.distribution == .exponential)
        #expect(far.outgoing.bytesPerSecond == 9_000)
        #expect(far.outgoing == far.incoming)
        let refusing = LinkPreset.allCases.filter(\.condition.refuses)
        #expect(refusing == [.outOfRange])
        let flapping = LinkPreset.allCases.filter { $0.condition.flapping != nil }
        #expect(flapping == [.flapping])
    }

    @Test("A direction is perfect unless something of it is set")
    func perfect() {
        let untouched = LinkCondition.Direction()
        #expect(untouched.isPerfect)
        let changes: [(inout LinkCondition.Direction) -> Void] = [
            { $0.latency = .milliseconds(1) }, { $0.jitter = .milliseconds(1) }, { $0.distribution = .spikes },
            { $0.bytesPerSecond = 1 }, { $0.pieceBytes = 1 }, { $0.pause = .milliseconds(1) }, { $0.isStalled = true },
            { $0.cutAfterBytes = 0 },
        ]
        for (index, change) in changes.enumerated() {
            var direction = LinkCondition.Direction()
            change(&direction)
            #expect(!direction.isPerfect, "change \(index)")
        }
    }

    @Test("A new condition neither refuses nor flaps nor delays, and a change of both directions changes both")
    func plain() {
        var condition = LinkCondition()
        #expect(!condition.refuses)
        #expect(condition.flapping == nil)
        #expect(condition.acceptDelay == .zero)
        condition.both { $0.isStalled = true }
        #expect(condition.outgoing.isStalled)
        #expect(condition.incoming.isStalled)
    }
}
