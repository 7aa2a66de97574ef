import Foundation
import LinkProtocol
import Testing
import Words

@Suite("Words of deeds")
struct DeedWordTests {
    private static let watch = UUID()

    @Test(
        "A change of the faults is written as it was read",
        arguments: [
            ["disk", "full"], ["disk", "error", "after=20"], ["disk", "read-only", "after=1000000"], ["disk", "none"],
            ["reachability", "right"], ["reachability", "never", "silent", "flap=2000ms"], ["reachability", "stale"],
            ["reachability", "always", "silent"], ["activation", "delay=2000ms", "failures=1"], ["release"], ["clear"],
            ["drop", "out", "reply"], ["replay", "context"], ["duplicate", "context", "at-app"],
        ])
    func faults(_ words: [String]) throws {
        let deed = try FaultDeed(words: words)
        #expect(deed.words == words)
    }

    @Test("What is not said of a fault has its usual value")
    func usual() throws {
        let disk = try FaultDeed(words: ["disk", "full"])
        #expect(disk == .disk(.full, after: 0))
        let reachability = try FaultDeed(words: ["reachability", "never"])
        #expect(reachability == .reachability(ReachabilityFault(.never)))
        let delay = try FaultDeed(words: ["activation", "delay=1s"])
        #expect(delay == .activation(ActivationFault(delay: .seconds(1), failures: 0)))
        let failures = try FaultDeed(words: ["activation", "failures=2"])
        #expect(failures == .activation(ActivationFault(delay: .zero, failures: 2)))
    }

    @Test("A disk can fail after at most a million writes, and at most a thousand activations can fail")
    func limits() throws {
        let disk = try FaultDeed(words: ["disk", "full", "after=1000000"])
        #expect(disk == .disk(.full, after: 1_000_000))
        let activation = try FaultDeed(words: ["activation", "failures=1000"])
        #expect(activation == .activation(ActivationFault(failures: 1_000)))
        let writes = "a whole number from 0 to 1000000"
        #expect(throws: WordError.wrongValue("1000001", key: "after", form: writes)) {
            try FaultDeed(words: ["disk", "full", "after=1000001"])
        }
        let activations = "a whole number from 0 to 1000"
        #expect(throws: WordError.wrongValue("1001", key: "failures", form: activations)) {
            try FaultDeed(words: ["activation", "failures=1001"])
        }
    }

    @Test("A fault of activation without any option is refused")
    func noOption() {
        #expect(throws: WordError.missingOption(subject: "activation", allowed: ["delay", "failures"])) {
            try FaultDeed(words: ["activation"])
        }
    }

    @Test("A word behind a complete change is refused", arguments: ["release", "clear"])
    func superfluousFault(_ verb: String) {
        #expect(throws: WordError.superfluous("now", subject: verb)) { try FaultDeed(words: [verb, "now"]) }
    }

    @Test("Each action on a device is one word, and nothing follows it", arguments: DeviceDeed.allCases)
    func device(_ deed: DeviceDeed) throws {
        let read = try DeviceDeed(words: deed.words)
        #expect(read == deed)
        #expect(deed.words == [deed.rawValue])
        #expect(throws: WordError.superfluous("now", subject: "device \(deed.rawValue)")) {
            try DeviceDeed(words: [deed.rawValue, "now"])
        }
    }

    @Test("An app enters each of its states by the action of the same name")
    func states() {
        let deeds = ApplicationState.allCases.map { DeviceDeed($0) }
        #expect(deeds == [.foreground, .background, .suspended, .terminated])
    }

    private static let changes: [WatchDeed.Change] = [
        .switchTo, .pair, .unpair, .install, .uninstall, .complication(isEnabled: true),
        .complication(isEnabled: false),
    ]

    @Test("Each action on a watch is read as it was written, and nothing follows it")
    func watches() throws {
        for change in Self.changes {
            let deed = WatchDeed(change, of: Self.watch)
            let read = try WatchDeed(words: deed.words)
            #expect(read == deed)
            let longer = deed.words + ["now"]
            #expect(throws: WordError.superfluous("now", subject: "watches \(change.verb)")) {
                try WatchDeed(words: longer)
            }
        }
    }

    @Test("Only a complication is followed by “on” or “off”, which it needs")
    func complication() throws {
        let name = Self.watch.uuidString
        let words = Self.changes.map { WatchDeed($0, of: Self.watch).words }
        let expected = ["switch", "pair", "unpair", "install", "uninstall"].map { [$0, name] }
        #expect(words == expected + [["complication", name, "on"], ["complication", name, "off"]])
        #expect(throws: WordError.missing(subject: "complication", allowed: ["on", "off"])) {
            try WatchDeed(words: ["complication", name])
        }
        #expect(throws: WordError.superfluous("on", subject: "watches pair")) {
            try WatchDeed(words: ["pair", name, "on"])
        }
    }
}
