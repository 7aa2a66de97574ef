import EventLog
import LinkProtocol
import LinkTransport
import Services
import Testing
import Words

@Suite("Words for what is done to devices, links, faults and logs")
struct WordTests {
    private func split(_ text: String) -> [String] { text.split(separator: " ").map(String.init) }

    @Test(
        "A deed's words are read as the same deed",
        arguments: [
            "drop out reply", "delay in context by=2000ms nth=3", "duplicate out message times=2 probability=0.5",
            "hold out user-info", "disk full", "disk read-only after=20", "disk none", "reachability stale",
            "reachability never silent flap=2000ms", "activation delay=2000ms failures=1", "release", "clear",
        ])
    func faults(_ text: String) throws {
        let words = try FaultDeed(words: split(text)).words
        #expect(words == split(text))
    }

    @Test(
        "A span has a number and a unit",
        arguments: [
            ("80us", 80_000), ("1.5ms", 1_500_000), ("0s", 0), ("2s", 2_000_000_000), ("2min", 120_000_000_000),
            ("2m", 120_000_000_000), ("3h", 10_800_000_000_000), ("1d", 86_400_000_000_000), ("", nil), ("2", nil),
            ("s", nil), ("-1s", nil), ("nans", nil), ("infd", nil), ("1e9d", nil), ("2 weeks", nil), ("2S", nil),
        ] as [(String, Int64?)])
    func spans(_ text: String, _ nanoseconds: Int64?) {
        #expect(WordValue.span(text) == nanoseconds.map { .nanoseconds($0) })
    }

    @Test("A span of trouble is an hour at most", arguments: ["3600s", "60min", "60m", "1h"])
    func longest(_ text: String) throws {
        let span = try WordValue.span("by", text)
        #expect(span == .seconds(3_600))
        let error = #expect(throws: WordError.self) { try WordValue.span("by", "6" + text) }
        #expect(
            error?.description.contains("“6\(text)” must be a duration") == true, "\(String(describing: error))")
    }

    @Test("Every state of an app has its deed, and every deed its word")
    func devices() throws {
        for deed in DeviceDeed.allCases {
            let read = try DeviceDeed(words: [deed.rawValue])
            #expect(read == deed)
        }
        #expect(DeviceDeed(.suspended) == .suspended)
        #expect(DeviceDeed(.foreground) == .foreground)
    }

    @Test("A condition's words are read as the same condition", arguments: LinkPreset.allCases)
    func conditions(_ preset: LinkPreset) throws {
        let named = try LinkCondition(words: [preset.rawValue])
        #expect(named == preset.condition)
        let spelled = try LinkCondition(words: preset.condition.words)
        #expect(spelled == preset.condition)
    }

    @Test(
        "A wrong word names itself, what is allowed, and the nearest",
        arguments: [
            ("disk ful", ["disk fault: “ful” must be one of none, full, error, read-only", "did you mean “full”?"]),
            ("disk full afer=20", ["disk full: “afer=20” is not an option", "after=", "did you mean “after”?"]),
            ("disk full after=x", ["after: “x” must be a whole number from 0 to 1000000"]),
            ("disk full after=-1", ["after: “-1” must be"]),
            ("disk full after=1 after=2", ["“after=2” sets the same option again"]),
            ("disk full 20", ["“20” is not an option"]),
            ("disk", ["disk fault: a word is missing", "read-only"]),
            ("reachability nevr", ["reachability: “nevr” must be one of right, stale, always, never", "“never”?"]),
            ("reachability never flap=2", ["flap: “2” must be a duration such as"]),
            ("reachability never silnt", ["“silnt” is not an option"]),
            ("activation", ["activation: an option is missing", "delay=", "failures="]),
            ("activation dely=2s", ["“dely=2s” is not an option", "did you mean “delay”?"]),
            ("activation failures=1.5", ["failures: “1.5” must be a whole number"]),
            ("drop replay", ["drop: “replay” must be one of message, reply", "did you mean “reply”?"]),
            ("drop reply by=2s", ["drop reply: “by=2s” is not an option"]),
            ("delay reply", ["delay reply: an option is missing; expected one of by="]),
            ("delay reply by=2h", ["by: “2h” must be a duration"]),
            ("drop reply nth=0", ["nth: “0” must be a whole number from 1"]),
            ("drop reply probability=nan", ["probability: “nan” must be a number from 0.0 to 1.0"]),
            ("release now", ["release: “now” is unexpected here"]),
            ("drup reply", ["fault: “drup” must be one of drop, delay", "did you mean “drop”?"]),
            ("", ["fault: a word is missing"]),
        ])
    func wrongFaults(_ text: String, _ parts: [String]) {
        let error = #expect(throws: WordError.self) { try FaultDeed(words: split(text)) }
        for part in parts { #expect("\(error.map(String.init(describing:)) ?? "nothing")".contains(part)) }
    }

    @Test(
        "So does a wrong condition",
        arguments: [
            ("wifii", "link condition: “wifii” must be one of perfect, bluetooth"), ("wifii", "did you mean “wifi”?"),
            ("wifi bluetooth", "“bluetooth” sets the same option again"), ("", "a word is missing"),
            ("latncy=8ms", "did you mean “latency”?"), ("latency=8", "latency: “8” must be a duration"),
            ("distribution=norml", "did you mean “normal”?"), ("stall=maybe", "stall: “maybe” must be “on” or “off”"),
            ("bandwidth=0", "bandwidth: “0” must be a number of bytes"), ("preset=wify", "did you mean “wifi”?"),
        ])
    func wrongConditions(_ text: String, _ part: String) {
        let error = #expect(throws: WordError.self) { try LinkCondition(words: split(text)) }
        #expect("\(error.map(String.init(describing:)) ?? "nothing")".contains(part))
    }

    @Test("Levels of all subsystems and of one are read; one wrong word among right ones refuses them all")
    func levels() throws {
        let deed = try LogLevelDeed(words: ["info", "link=debug"])
        #expect(deed.changes.map(\.subsystem) == [nil, .link])
        #expect(deed.changes.map(\.level) == [.info, .debug])
        #expect(deed.words == ["info", "link=debug"])
        for (word, part) in [
            ("link=debg", "log level: “debg” must be one of"), ("link=debg", "did you mean “debug”?"),
            ("lnk=debug", "subsystem: “lnk” must be one of service, link"), ("inof", "“inof” must be one of emergency"),
            ("link=", "log level: “” must be one of"),
        ] {
            let error = #expect(throws: WordError.self) { try LogLevelDeed(words: ["info", word]) }
            #expect("\(error.map(String.init(describing:)) ?? "nothing")".contains(part))
        }
        #expect(throws: WordError.self) { try LogLevelDeed(words: []) }
    }

    @Test("The key at fault is known, so that a file can say where it stands")
    func keys() {
        func key(_ text: String) -> String? {
            do throws(WordError) {
                _ = try FaultDeed(words: split(text))
                return "none is wrong"
            } catch {
                return error.key
            }
        }
        #expect(key("disk full after=x") == "after")
        #expect(key("disk full afer=2") == "afer")
        #expect(key("disk ful") == nil)
    }

    @Test("The nearest word is the one that takes the fewest changes, if it is near enough to be a slip")
    func nearest() {
        #expect(NearestWord.of("statsu", among: ["status", "submit"]) == "status")
        #expect(NearestWord.of("hots", among: ["companion", "host"]) == "host")
        #expect(NearestWord.of("fualt", among: ["default", "fault"]) == "fault")
        #expect(NearestWord.of("", among: ["a"]) == "a")
        #expect(NearestWord.of("a", among: []) == nil)
        #expect(NearestWord.of("xylophone", among: ["status", "submit"]) == nil)
    }
}
