import CassetteReplay
import Cassettes
import Foundation
import ServiceRuntime
import Timeline

/// The picture of a cassette.
enum CassetteDrawing {
    static func timeline(of path: String) throws -> Timeline {
        do throws(CassetteError) {
            let cassette = try Cassette(at: path)
            let tapes = cassette.manifest.sides.compactMap { AppTape(cassette, side: $0) }
            guard !tapes.isEmpty else { throw CassetteError.malformed(path: path, line: nil, reason: "has no events") }
            // Its text was written by a recorder; without it, the clock begins at midnight.
            let started = try? Date(
                cassette.manifest.started, strategy: Date.ISO8601FormatStyle(includingFractionalSeconds: true))
            return CassetteTimeline(tapes, start: started ?? Date(timeIntervalSince1970: 0)).timeline
        } catch {
            throw CommandError("\(error)")
        }
    }
}
