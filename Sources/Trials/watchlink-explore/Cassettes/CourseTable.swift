import CassetteReplay
import Foundation
import ServiceRuntime
import Words

/// The two courses beside each other, with the first parting marked.
struct CourseTable {
    private let recorded: AppTape
    private let replayed: AppTape
    private let deviations: [Deviation]

    init(_ recorded: AppTape, _ replayed: AppTape, _ deviations: [Deviation]) {
        (self.recorded, self.replayed, self.deviations) = (recorded, replayed, deviations)
    }

    var text: String {
        let first = deviations.first { $0.verdict > .equivalent }
        return [
            "recorded", TextTable.text(Self.rows(recorded, first?.recorded, Set(deviations.compactMap(\.recorded)))),
            "", "replayed",
            TextTable.text(Self.rows(replayed, first?.replayed, Set(deviations.compactMap(\.replayed)))),
        ].joined(separator: "\n")
    }

    private static func rows(_ tape: AppTape, _ first: Int?, _ marked: Set<Int>) -> [[String]] {
        tape.events.filter { $0.role != .link }.map { event in
            let mark = event.sequence == first ? ">>" : marked.contains(event.sequence) ? " >" : ""
            return [
                mark, "\(event.sequence)", String(format: "%.3f s", Double(event.time) / 1_000_000),
                event.kind, (event.package ?? event.watch).flatMap { _ in tape.watchName(at: event.sequence) } ?? "",
                event.package.map { "#\($0)" } ?? "",
                [event.error.map { "error \($0)" }, event.words].compactMap(\.self).joined(separator: " "),
            ]
        }
    }
}
