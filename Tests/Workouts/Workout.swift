import Foundation
import WatchLinkServices

/// The second application: a workout with a series of samples, and possibly a file.
struct Workout: RecordPayload, Codable, Equatable {
    /// The heart's rate at a time.
    struct Sample: Codable, Equatable {
        let seconds: Double
        let rate: Int
    }

    static let name = "workout"
    static var file: WritableKeyPath<Workout, PayloadFile?>? { \.track }
    static let columns: [PayloadColumn<Workout>] = [
        .text("sport") { $0.sport }, .date("started_at") { $0.startedAt },
        .integer("sample_count") { $0.samples.count },
        .real("mean_rate") { $0.meanRate }, .integer("track_bytes") { $0.track?.bytes ?? 0 },
    ]

    let identifier: UUID
    let sport: String
    let startedAt: Date
    let samples: [Sample]
    /// The places where it led to, as a file of another program.
    var track: PayloadFile?

    private var meanRate: Double {
        samples.isEmpty ? 0 : Double(samples.reduce(0) { $0 + $1.rate }) / Double(samples.count)
    }

    func validate() throws {
        guard !sport.isEmpty else { throw PayloadError.invalid(field: "sport", reason: "is empty") }
        guard let wrong = samples.firstIndex(where: { !(20...300).contains($0.rate) }) else { return }
        throw PayloadError.invalid(field: "samples[\(wrong)].rate", reason: "is not between 20 and 300")
    }

    func warning(at time: Date) -> String? {
        startedAt > time.addingTimeInterval(3_600) ? "startedAt is more than an hour ahead of the clock" : nil
    }
}
