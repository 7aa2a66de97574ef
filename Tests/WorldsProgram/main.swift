// WorldsProgram BODY run SEED | seeds FIRST LAST JOBS | check SEED | shrink SEED | replay FILE | limit MILLISECONDS: for the tests of worlds.
import Foundation
import VirtualTime

let words = Array(CommandLine.arguments.dropFirst())
guard let body = words.first.flatMap({ Body(rawValue: $0) }), words.count >= 2 else {
    print("the words of this program: \(Body.allCases.map(\.rawValue).joined(separator: "|")) COMMAND…")
    exit(2)
}
let numbers = words.dropFirst(2).compactMap { UInt64($0) }
if words[1] == "threads" {
    Thread.detachNewThread { pause() }
    do { _ = try Worlds { body() } } catch { print(error) }
    exit(0)
}
let jobs = words[1] == "seeds" ? Int(numbers[2]) : words[1] == "first" ? 3 : 1
let worlds = try Worlds(jobs: jobs) { body() }

func tell(_ outcome: Outcome) {
    print(
        "seed \(outcome.course.seed): \(outcome.ending); \(outcome.decisions.count) decisions, "
            + "\(outcome.trace.utf8.count) bytes of trace, \(outcome.droppedLines) dropped; \(outcome.virtualTime)")
}

/// The descriptors of this process, and its children but for the templates.
func tellLeftovers() throws {
    let descriptors = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count
    let children = try String(contentsOfFile: "/proc/self/task/\(getpid())/children", encoding: .utf8)
    print("left: \(descriptors) descriptors, \(children.split(separator: " ").count) children")
}

switch words[1] {
case "run":
    let outcome = try worlds.run(Course(seed: numbers[0]))
    tell(outcome)
    if body != .longTrace { print(outcome.trace, terminator: "") }
case "seeds":
    try tellLeftovers()
    var outcomes: [Outcome] = []
    try worlds.run((numbers[0]...numbers[1]).lazy.map { Course(seed: $0) }) { outcome in
        outcomes.append(outcome)
        return true
    }
    try tellLeftovers()
    for outcome in outcomes.sorted(by: { $0.course.seed < $1.course.seed }) {
        tell(outcome)
        print(outcome.trace, terminator: "")
    }
case "first":
    var count = 0
    try worlds.run((UInt64(1)...1_000).lazy.map { Course(seed: $0) }) { _ in
        count += 1
        return false
    }
    print("stopped after \(count)")
    for seed in 1...6 as ClosedRange<UInt64> { print(try worlds.run(Course(seed: seed)).trace, terminator: "") }
case "check":
    let (outcome, difference) = try worlds.check(Course(seed: numbers[0]))
    tell(outcome)
    print(difference?.description ?? "repeatable")
case "limit":
    worlds.limit = .milliseconds(numbers[0])
    tell(try worlds.run(Course(seed: 1)))
    // The next one is not touched by it.
    worlds.limit = .seconds(60)
    worlds.settings.horizon = 10_000_000_000
    tell(try worlds.run(Course(seed: 1)))
case "shrink":
    let outcome = try worlds.run(Course(seed: numbers[0]))
    tell(outcome)
    guard let shrunk = try worlds.shrink(outcome) else {
        print("not reproduced")
        break
    }
    print("\(shrunk.course.departures.count) departures, complete \(shrunk.isComplete)")
    for departure in shrunk.course.departures { print(departure) }
    let again = try worlds.run(shrunk.course)
    tell(again)
    try Finding(again, settings: worlds.settings).write(to: words[3])
case "replay":
    let finding = try Finding(path: words[2])
    for warning in finding.warnings(for: [try BuildIdentity.current()]) { print("warning: \(warning)") }
    worlds.settings = finding.settings
    for course in finding.courses {
        let outcome = try worlds.run(course)
        tell(outcome)
        print(
            "same: \(outcome.ending == finding.ending), divergence: \(course.divergence(from: outcome.decisions) as Any)"
        )
    }
default:
    print("no such command")
    exit(2)
}
