package import ServiceRuntime

/// A way to call `watchlink explore`. The program that explores reads its words by these, and the command line that starts it has them in its
/// help, its manual page and its completion.
package enum ExploreForm: String, CaseIterable, Sendable {
    case explore
    case services
    case replay
    case merge
    /// How `watchlink scenario run --virtual` has its files played.
    case scenario

    /// Those that a person calls.
    package static let calls = allCases.filter { $0 != .scenario }

    /// The program's file, which lies beside that of `watchlink`.
    package static let program = "watchlink-explore"
    /// The program that works with the services and judges them, in the same directory.
    package static let torture = "watchlink-torture"
    /// The program that plays a scenario in its devices' world, likewise.
    package static let player = "watchlink-scenario"

    /// The form that the words which are no options begin with, and the words that follow.
    package init(_ operands: [String]) throws(UsageError) {
        guard let word = operands.first else {
            self = .explore
            return
        }
        let verbs = Self.allCases.filter { $0 != .explore }
        guard let form = verbs.first(where: { $0.rawValue == word }) else {
            let words = Self.calls.filter { $0 != .explore }.map(\.rawValue).joined(separator: ", ")
            throw UsageError("unexpected “\(word)”: it must be one of \(words), or left out")
        }
        self = form
    }

    /// The words, without “watchlink”.
    package var words: String {
        switch self {
        case .explore: "explore --phone PROGRAM --watch PROGRAM"
        case .services: "explore services"
        case .replay: "explore replay FINDING"
        case .merge: "explore merge DIR…"
        case .scenario: "scenario run FILE… --virtual"
        }
    }

    package var meaning: String {
        switch self {
        case .explore: "run both in virtual time, seed after seed, and tell what goes wrong"
        case .services:
            "the real services, with a torture that works with them, has them killed, and judges what they keep"
        case .replay: "a finding's world once more, and nothing else"
        case .merge: "what several machines or nights found, by their directories of findings: each cause once"
        case .scenario: "play scenarios in virtual time"
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
                        "another build takes the place of the device's, such as watch@2h=NewWatch, and finds what that left"
                ),
                OptionDefinition(
                    "script", placeholder: "SCENARIO",
                    help:
                        "a scenario file says what is done to the devices, and what must come of it; then there are no kills "
                        + "and hazards but by their options, and --upgrade has no TIME"),
                OptionDefinition(
                    "seeds", placeholder: "A...B", help: "these seeds; 1...100, or with --for all from 1 on"),
                OptionDefinition(
                    "for", placeholder: "SPAN", help: "no new seed after this real time, such as 60s or 8h"),
                OptionDefinition(
                    "shard", placeholder: "I/N", help: "this machine's part of the seeds, the I-th of N; 1/1"),
                OptionDefinition(
                    "hours", placeholder: "H", help: "how long each seed's world lasts, in its own time; 1"),
                OptionDefinition(
                    "kills", placeholder: "N",
                    help: "how often a seed kills each device at most, and starts it again; 1, services 3"),
                OptionDefinition(
                    "hazards", placeholder: "LIST",
                    help:
                        "the trouble that seeds bring, each about half of it: none, all, or some of loss, slowness, answers, deliveries, duplicates, switches, disk, clock; the first four"
                ),
                OptionDefinition(
                    "strategy", placeholder: "RULE",
                    help: "how seeds decide: random, or pct:N, by priorities of threads that change N-1 times; random"),
                OptionDefinition(
                    "preemption", placeholder: "N",
                    help: "one in N places where a thread may be interrupted it is; 0 for none; 16"),
                OptionDefinition(
                    "stall", placeholder: "N:SPAN",
                    help: "one in N times that a thread goes on it is late, by up to the span; 0 for never; 0:30ms"),
                OptionDefinition("jobs", placeholder: "N", help: "worlds at a time; as many as there are cores"),
                OptionDefinition(
                    "tries", placeholder: "N", help: "worlds that a failure may take to be made small; 60"),
                OptionDefinition(
                    "findings", placeholder: "DIR",
                    help: "files there for the first seeds of each cause, made small, and a summary"),
                Self.junit,
                OptionDefinition(
                    "traces", placeholder: "DIR", help: "a file there for each seed: what its devices wrote"),
            ]
        case .services:
            ExploreForm.explore.options.filter { !["phone", "watch", "upgrade", "hazards"].contains($0.name) } + [
                OptionDefinition("quizzes", placeholder: "N", help: "services: how many the watch is handed; 100")
            ]
        case .replay:
            [
                OptionDefinition(
                    "trace", help: "also each hand-over from thread to thread, and each decision that is not dull"),
                OptionDefinition("timeline", placeholder: "FILE", help: "a picture of it, as HTML"),
                OptionDefinition(
                    "scenario", placeholder: "FILE", help: "its kills and faults as a scenario, to be kept as a test"),
                OptionDefinition(
                    "debugger",
                    help: "the device that went wrong waits for lldb before the last decision that is not dull"),
            ]
        case .merge: [Self.junit]
        case .scenario:
            [
                Self.phone, Self.watch,
                OptionDefinition(
                    "upgrade", placeholder: "DEVICE=PROGRAM",
                    help: "the build that a step “upgrade” puts in the place of the device's; again for the next one"),
                OptionDefinition("seed", placeholder: "N", help: "decides what is left to chance; 1"), Self.junit,
                OptionDefinition("verbose", help: "the devices' logs as well"),
            ]
        }
    }

    private static let phone = OptionDefinition(
        "phone", placeholder: "PROGRAM", help: "the phone's program and its words, quoted as in a shell")
    private static let watch = OptionDefinition(
        "watch", placeholder: "PROGRAM", help: "the watch's; once more for each further one: watch2, watch3 …")

    private static let junit = OptionDefinition(
        "junit", placeholder: "FILE", help: "the outcome for a CI server, a test for each cause")

    /// Those that a person may call with.
    package static let callOptions = options(of: calls)
    /// Those of all forms.
    package static let allOptions = options(of: allCases)

    /// Each once.
    private static func options(of forms: [ExploreForm]) -> [OptionDefinition] {
        var options: [OptionDefinition] = []
        for option in forms.flatMap(\.options) where !options.contains(where: { $0.name == option.name }) {
            options.append(option)
        }
        return options
    }

    package static let examples: [(words: String, meaning: String)] = [
        ("explore --phone .build/debug/PhoneApp --watch '.build/debug/WatchApp --quiz 3'", "100 seeds, an hour each"),
        ("explore --phone PhoneApp --watch WatchApp --seeds 1...10000 --hours 24 --findings findings", "for a night"),
        ("explore --phone PhoneApp --watch WatchApp --for 60s --junit explore.xml", "for a minute, in CI"),
        ("explore --phone PhoneApp --watch WatchApp --watch WatchApp --upgrade watch2@30min=NewWatch", "two watches"),
        ("explore --phone PhoneApp --watch WatchApp --script reboot.json5", "a scenario, in 100 orders of all threads"),
        ("explore services --seeds 1...1000", "does the host lose anything, whenever it is killed?"),
        ("explore replay findings/seed-199.json", "what went wrong, once more"),
        ("explore merge findings-*", "what a fleet found"),
    ]

    /// What the programs' authors must know.
    package static let about = """
        A seed decides the order of everything in both programs, and when one is killed; the same seed gives the same bytes. The programs are those that \
        import WatchConnectivity, as they are. Wrong is: a crash, a dead-lock, an exit code other than 0, and a line on standard error that begins with \
        FINDING. What must happen in at least one of all seeds a program declares with a line SOMETIMES NAME on standard error, and confirms with REACHED NAME. \
        Exit codes: 0 nothing was found, 3 something was, 1 it could not be run, 2 wrong words.
        """
}
