package import ServiceRuntime
import Trials

/// A form of `watchlink explore`. The exploring program parses its arguments by these, and the command line uses them
/// for help, manual page and completion.
package enum ExploreForm: String, CaseIterable, Sendable {
    case explore
    case services
    case replay
    case merge
    /// The internal form behind `watchlink scenario run --virtual`.
    case scenario
    /// The internal form behind `watchlink replay`.
    case cassette
    /// The internal form behind `watchlink skew`.
    case skew
    /// The internal form behind `watchlink lint --cassettes`.
    case lint

    /// The forms for users.
    package static let calls = allCases.filter { ![.scenario, .cassette, .skew, .lint].contains($0) }

    /// The name of the exploring program, in the same directory as `watchlink`.
    package static let program = "watchlink-explore"
    /// The name of the program that exercises and checks the services, in the same directory.
    package static let torture = "watchlink-torture"
    /// The name of the program that plays a scenario in its devices' world, in the same directory.
    package static let player = "watchlink-scenario"
    /// The name of the program that is the counterpart of a replayed app, in the same directory.
    package static let counterpart = "watchlink-player"

    /// Returns the form that the operands begin with.
    package init(_ operands: [String]) throws(UsageError) {
        guard let word = operands.first else {
            self = .explore
            return
        }
        let verbs = Self.allCases.filter { $0 != .explore }
        guard let form = verbs.first(where: { $0.rawValue == word }) else {
            let words = Self.calls.filter { $0 != .explore }.map(\.rawValue).joined(separator: ", ")
            throw UsageError("unexpected “\(word)”; it must be one of \(words), or left out")
        }
        self = form
    }

    /// The command that users call for it, for messages.
    package var command: String {
        switch self {
        case .explore, .services, .replay, .merge: "watchlink explore"
        case .scenario: "watchlink scenario"
        case .cassette: "watchlink replay"
        case .skew: "watchlink skew"
        case .lint: "watchlink lint"
        }
    }

    /// The arguments, without “watchlink”.
    package var words: String {
        switch self {
        case .explore: "explore --phone PROGRAM --watch PROGRAM"
        case .services: "explore services"
        case .replay: "explore replay FINDING"
        case .merge: "explore merge DIR…"
        case .scenario: "scenario run FILE… --virtual"
        case .cassette: "replay CASSETTE"
        case .skew: "skew --phones PROGRAMS --watches PROGRAMS"
        case .lint: "lint --cassettes DIR"
        }
    }

    package var meaning: String {
        switch self {
        case .explore: "run both programs in virtual time, seed after seed, and report failures"
        case .services:
            "run the real services under load in virtual time, kill them, and check what they store"
        case .replay: "replay the world of one finding"
        case .merge: "merge the findings of several machines or nights, each cause once"
        case .scenario: "play scenarios in virtual time"
        case .skew: "run every build of the phone's app with every build of the watch's"
        case .cassette: "run a build against a cassette, and tell what has changed"
        case .lint: "tell what in recorded contents will hurt when an old and a new build meet"
        }
    }

    package var options: [OptionDefinition] {
        switch self {
        case .explore:
            [
                Self.phone, Self.watch,
                OptionDefinition(
                    "upgrade", placeholder: "DEVICE@TIME=PROGRAM",
                    help:
                        "replace the device's build, such as watch@2h=NewWatch; the new one finds the old one's files"
                ),
                OptionDefinition(
                    "script", placeholder: "SCENARIO",
                    help:
                        "scenario file with steps and expectations; then kills and hazards are off unless given, and "
                        + "--upgrade has no TIME"),
                OptionDefinition(
                    "seeds", placeholder: "A...B", help: "range of seeds; default 1...100, or with --for all from 1"),
                OptionDefinition(
                    "for", placeholder: "SPAN", help: "start no new seed after this real time, such as 60s or 8h"),
                OptionDefinition(
                    "shard", placeholder: "I/N", help: "this machine's share of the seeds, the I-th of N; default 1/1"),
                OptionDefinition(
                    "stop-at-first", help: "start no new seed after the first with a finding"),
                OptionDefinition(
                    "hours", placeholder: "H", help: "virtual hours of each seed; default 1"),
                OptionDefinition(
                    "begin", placeholder: "HH:MM",
                    help: "time of day at which each seed begins, such as 23:50; default 00:00"),
                OptionDefinition(
                    "time-zone", placeholder: "ZONE",
                    help: "time zone of the devices, such as Europe/Berlin; default UTC"),
                OptionDefinition(
                    "kills", placeholder: "N",
                    help: "most kills and restarts of each device per seed; default 1, services 3"),
                OptionDefinition(
                    "hazards", placeholder: "LIST",
                    help:
                        "hazards, of which each seed uses about half: none, all, or some of loss, slowness, answers, deliveries, duplicates, switches, disk, clock, power; default: the first four"
                ),
                OptionDefinition(
                    "hints", placeholder: "LIST",
                    help:
                        "hints of the sessions that are failures: all, or some, such as file-opened-too-late; default none"
                ),
                OptionDefinition(
                    "strategy", placeholder: "RULE",
                    help:
                        "scheduling: random; pct:N, by thread priorities that change N-1 times; or orders, every order of delivery once, for few packages; default random"
                ),
                OptionDefinition(
                    "preemption", placeholder: "N",
                    help: "interrupt a thread at one in N possible points; 0 for never; default 16"),
                OptionDefinition(
                    "stall", placeholder: "N:SPAN",
                    help: "delay one in N resumed threads by up to SPAN; 0 for never; default 0:30ms"),
                OptionDefinition("jobs", placeholder: "N", help: "worlds at the same time; default: one per core"),
                OptionDefinition(
                    "tries", placeholder: "N", help: "most worlds to try when minimizing a failure; default 60"),
                OptionDefinition(
                    "findings", placeholder: "DIR",
                    help: "directory for a minimized finding per cause, and a summary"),
                Self.junit,
                OptionDefinition(
                    "traces", placeholder: "DIR", help: "directory for a file per seed with the devices' output"),
                OptionDefinition(
                    "record", placeholder: "DIR",
                    help: "directory for a cassette per seed and device, of programs linked with DeviceControl"),
                Self.keep,
            ]
        case .services:
            ExploreForm.explore.options.filter {
                !["phone", "watch", "upgrade", "hazards", "hints", "time-zone", "record", "keep"].contains($0.name)
            } + [
                OptionDefinition("quizzes", placeholder: "N", help: "services: payloads to submit; default 100")
            ] + TrialSubject.options
        case .replay:
            [
                OptionDefinition(
                    "trace", help: "print each thread switch and each decision other than the default"),
                OptionDefinition(
                    "quiet", help: "print the short course and the failure, and not what the programs wrote"),
                OptionDefinition("timeline", placeholder: "FILE", help: "write an HTML timeline"),
                OptionDefinition(
                    "scenario", placeholder: "FILE", help: "write its kills and faults as a scenario, for a test"),
                OptionDefinition(
                    "swift-test", placeholder: "FILE", help: "write it as a test for Swift Testing, to keep"),
                OptionDefinition(
                    "debugger",
                    help: "stop the failing device for lldb before its last decision other than the default"),
            ]
        case .merge: [Self.junit]
        case .scenario:
            [
                Self.phone, Self.watch,
                OptionDefinition(
                    "upgrade", placeholder: "DEVICE=PROGRAM",
                    help: "build installed by an “upgrade” step; repeat for further steps"),
                OptionDefinition("seed", placeholder: "N", help: "seed of random choices; default 1"), Self.junit,
                OptionDefinition(
                    "record", placeholder: "DIR",
                    help: "directory for a cassette per scenario and device, of programs linked with DeviceControl"),
                Self.keep, OptionDefinition("verbose", help: "print the devices' logs, too"),
            ]
        case .cassette: Self.ofCassettes
        case .lint: Self.ofLint
        case .skew:
            [
                OptionDefinition(
                    "phones", placeholder: "PROGRAMS", help: "the phone's builds, oldest first, separated by commas"),
                OptionDefinition("watches", placeholder: "PROGRAMS", help: "the watch's builds, oldest first"),
                OptionDefinition(
                    "cassettes", placeholder: "DIR", help: "replay the cassettes in this directory against each, too"),
                OptionDefinition("hours", placeholder: "H", help: "virtual hours of each pair; default 1"),
            ]
        }
    }

    private static let ofCassettes = [
        OptionDefinition("phone", placeholder: "PROGRAM", help: "the phone's new build and its arguments"),
        OptionDefinition("watch", placeholder: "PROGRAM", help: "the watch's, in place of the phone's"),
        OptionDefinition(
            "service", help: "the program is a service: WatchLink's own, or one made with WatchLinkServices"),
        OptionDefinition(
            "state", placeholder: "DIR",
            help: "start with a copy of this directory: a service's state, or an app's home with its state"),
        OptionDefinition(
            "file", placeholder: "FILE",
            help: "send this file for each recorded one, whose contents no cassette has; else zeros"),
        OptionDefinition("real-time", help: "run as long as the recording did, not in virtual time"),
        OptionDefinition(
            "accept", help: "keep the course of this build: later ones are compared with it, value by value"),
        OptionDefinition("compare", placeholder: "CASSETTE", help: "compare with another cassette or record of claims"),
        OptionDefinition(
            "expect", placeholder: "FILE",
            help: "intended changes, or known differences of claims; default: expected.json5 in the cassette"),
        OptionDefinition(
            "contract", placeholder: "FILE", help: "hold the build to a contract of “watchlink contract”, too"),
        OptionDefinition("seed", placeholder: "N", help: "seed of the world; default 1"),
        OptionDefinition("junit", placeholder: "FILE", help: "write the outcome as JUnit XML, a test for each change"),
        OptionDefinition("sarif", placeholder: "FILE", help: "write the changes as SARIF, for a code host"),
        OptionDefinition(
            "timeline", placeholder: "FILE", help: "draw both courses as HTML, with the first parting marked"),
        OptionDefinition("verbose", help: "print both courses, and what the counterpart could not do"),
    ]

    private static let ofLint = [
        OptionDefinition(
            "cassettes", placeholder: "DIR",
            help: "check the contents of the cassettes in this directory, not a program; may be repeated"),
        OptionDefinition(
            "phone", placeholder: "PROGRAM", help: "a build of the phone's app, to be tried with unknown values"),
        OptionDefinition("watch", placeholder: "PROGRAM", help: "one of the watch's app, likewise"),
        OptionDefinition(
            "level", placeholder: "LEVEL",
            help: "the mildest level that counts for exit code 3: decodes, meaning or source; default meaning"),
        OptionDefinition(
            "version-key", placeholder: "KEY", help: "a key or key path that says the version; may be repeated"),
        OptionDefinition(
            "enumeration", placeholder: "KEY",
            help: "a key or key path whose values are those of an enumeration; may be repeated"),
        OptionDefinition(
            "expect", placeholder: "FILE", help: "findings to be left; default: expected-lint.json5 in the directory"),
        OptionDefinition("sarif", placeholder: "FILE", help: "write the findings as SARIF, for a code host"),
    ]

    private static let phone = OptionDefinition(
        "phone", placeholder: "PROGRAM", help: "the phone's program and arguments, quoted as in a shell")
    private static let watch = OptionDefinition(
        "watch", placeholder: "PROGRAM", help: "the watch's; repeat for further watches: watch2, watch3 …")

    private static let keep = OptionDefinition(
        "keep", placeholder: "KEYPATH",
        help: "keep the values at a key path in the cassettes, such as type; may be repeated")
    private static let junit = OptionDefinition(
        "junit", placeholder: "FILE", help: "write the outcome as JUnit XML, a test for each cause")

    /// The options of the forms for users.
    package static let callOptions = options(of: calls)
    /// The options of all forms.
    package static let allOptions = options(of: allCases)

    /// Returns the options of forms without duplicates.
    private static func options(of forms: [ExploreForm]) -> [OptionDefinition] {
        var options: [OptionDefinition] = []
        for option in forms.flatMap(\.options) where !options.contains(where: { $0.name == option.name }) {
            options.append(option)
        }
        return options
    }

    package static let examples: [(words: String, meaning: String)] = [
        ("explore --phone .build/debug/PhoneApp --watch '.build/debug/WatchApp --quiz 3'", "100 seeds, an hour each"),
        ("explore --phone PhoneApp --watch WatchApp --seeds 1...10000 --hours 24 --findings findings", "a night's run"),
        ("explore --phone PhoneApp --watch WatchApp --for 60s --junit explore.xml", "a minute in CI"),
        ("explore --phone PhoneApp --watch WatchApp --watch WatchApp --upgrade watch2@30min=NewWatch", "two watches"),
        ("explore --phone PhoneApp --watch WatchApp --script reboot.json5", "play a scenario 100 times"),
        ("explore services --seeds 1...1000", "check that the services lose nothing when killed"),
        ("explore replay findings/seed-199.json", "replay a failure"),
        ("explore merge findings-*", "merge the findings of a fleet"),
    ]

    /// An explanation for authors of programs.
    package static let about = """
        A seed decides the order of all events in both programs, and when one is killed; the same seed gives the same bytes. The programs are ordinary ones \
        that import WatchConnectivity. A failure is a crash, a deadlock, an exit code other than 0, a method of the delegate that has not returned for 60 s, or a line on standard error that begins with FINDING. \
        A program declares a state that at least one seed must reach with a line SOMETIMES NAME on standard error, and confirms it with REACHED NAME. \
        Exit codes: 0 no failure found, 3 failures found, 1 could not run, 2 wrong command line.
        """
}
