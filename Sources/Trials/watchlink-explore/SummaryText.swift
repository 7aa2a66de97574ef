import DeviceWorlds
import Foundation
import ServiceRuntime
import VirtualTime
import Words

/// A summary as text: an entry for each cause, the promises never reached, the amount of work done, and whether more
/// seeds would pay.
struct SummaryText {
    private let summary: ExplorationSummary

    init(_ summary: ExplorationSummary) { self.summary = summary }

    var text: String {
        (causes + unrepeatable + never + lockOrders + hints + [count] + inactive + coverage).joined(separator: "\n")
    }

    private var causes: [String] {
        Cause.all(of: summary).flatMap { cause in
            let lines = cause.example.what.split(separator: "\n").map { TerminalText.printable(String($0)) }
            let what = ["\(cause.seedsText): \(lines.first ?? "")"] + lines.dropFirst().map { "    \($0)" }
            guard let file = cause.example.file else { return what }
            let size = cause.example.decisions.map { "    # \($0) decision\($0 == 1 ? "" : "s")" } ?? ""
            let early = cause.example.tries.map { ", not the fewest: stopped after \($0) tries (--tries)" } ?? ""
            return what + ["    watchlink explore replay \(ShellText.quoted(file))\(size)\(early)"]
                + course(cause.example)
        }
    }

    /// Describes the decisions that cause a failure.
    private func course(_ found: ExplorationSummary.Found) -> [String] {
        ShortCourse.glance(found.words ?? []).map { "    \(TerminalText.printable($0))" }
    }

    private var unrepeatable: [String] {
        summary.unrepeatable.map {
            let parting = summary.partings?["\($0)"].map { " (\(TerminalText.printable($0)))" } ?? ""
            return "seed \($0): the second run differed\(parting); something outside the seed influences it, such as a "
                + "port, /proc or a child process. Run it twice, each with --traces DIR, and compare"
        }
    }

    private var never: [String] {
        summary.never.map { "never, although it should sometimes: \(TerminalText.printable($0))" }
    }

    private var lockOrders: [String] {
        (summary.lockOrders ?? [:]).sorted { $0.key < $1.key }.flatMap { _, text in
            let lines = text.split(separator: "\n").map { TerminalText.printable(String($0)) }
            return ["no failure: \(lines.first ?? "")"] + lines.dropFirst().map { "    \($0)" }
        }
    }

    private var hints: [String] {
        (summary.hints ?? [:]).sorted { $0.key < $1.key }.map { hint, count in
            let first = count.firstSeed
            let seeds = count.seeds == 1 ? "seed \(first)" : "\(count.seeds) seeds, first in \(first)"
            return "no failure: \(TerminalText.printable(hint)), in \(seeds): \(TerminalText.printable(count.advice))"
        }
    }

    private var inactive: [String] {
        summary.inactive.map {
            "the \($0) never activated a session, so that nothing could be found: is it the right program, and does it call "
                + "WCSession.default.activate()?"
        }
    }

    private var count: String {
        let time = String(format: "%.1f", summary.seconds)
        let plural = summary.runs == 1 ? "" : "s"
        let unit = summary.areAllOrders == nil ? "seed\(plural)" : "order\(plural) of delivery"
        let text =
            "\(summary.runs) \(unit) in \(time) s, \(summary.failed) of them with a finding"
            + (summary.parts.allSatisfy(\.isComplete) ? "" : "; stopped before the last")
        guard let areAll = summary.areAllOrders else { return text }
        return text + (areAll ? "; \(DeliveryReordering.completion)" : "; more are left")
    }

    /// The coverage; empty for a handful of seeds.
    private var coverage: [String] {
        guard summary.areAllOrders == nil, summary.runs >= ExplorationSummary.fewestForCoverage else { return [] }
        let figures: [(CoverageFigure?, String)] = [
            (CoverageFigure(known: summary.orders, expectedNews: summary.expectedNews), "orders of two events"),
            (summary.calls, "calls of a delegate in a state of the ledger"),
            (summary.handovers, "hand-overs of threads from call to call"),
        ]
        let known = figures.compactMap { figure, what in figure.map { ($0, what) } }
        let lines = known.map { figure, what in
            let news = String(format: "%.1f", figure.expectedNews)
            return "\(figure.known) \(what); another hundred seeds would bring about \(news) new ones"
        }
        // Threads are hardly ever handed over in all ways, so the events and calls show whether the seeds have covered
        // what they can.
        let pays = max(summary.expectedNews, summary.calls?.expectedNews ?? 0) >= Self.worthwhile
        return lines + [pays ? "more seeds would pay" : "more seeds would hardly pay"]
    }

    /// 1: if a hundred seeds bring no new order of events and no new call, other hazards are a better use of time.
    private static let worthwhile = 1.0
}

extension ExplorationSummary {
    /// 10: with fewer seeds, nearly everything is new.
    static let fewestForCoverage = 10
}
