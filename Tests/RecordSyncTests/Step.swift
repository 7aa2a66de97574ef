import Foundation
import RecordSync

/// A `Codable` payload.
struct Step: RecordPayload, Codable, Equatable {
    static let name = "step"
    static let columns: [PayloadColumn<Step>] = [
        .integer("count") { $0.count }, .text("place") { $0.place }, .date("ended_at") { $0.endedAt },
        .real("distance") { $0.distance },
    ]

    let identifier: UUID
    var count = 7
    var place = "at home"
    var endedAt = Date(timeIntervalSince1970: 1_700_000_000.25)
    var distance = 1.5

    init(_ identifier: UUID = UUID(), count: Int = 7, endedAt: Date = Date(timeIntervalSince1970: 1_700_000_000.25)) {
        self.identifier = identifier
        self.count = count
        self.endedAt = endedAt
    }

    func validate() throws {
        guard count > 0 else { throw PayloadError.invalid(field: "count", reason: "is not positive") }
        guard count < 1_000_000 else { throw Excess() }
    }

    func warning(at time: Date) -> String? { endedAt > time ? "endedAt is ahead of the clock" : nil }

    /// An error of the application's own.
    struct Excess: Error, CustomStringConvertible {
        var description: String { "nobody walks that far" }
    }
}
