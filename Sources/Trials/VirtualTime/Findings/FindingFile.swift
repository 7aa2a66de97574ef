import Foundation

/// The version of a file's format, which is read before anything else.
struct FindingFormat: Codable {
    /// 2: decisions are known by their places. In files of format 1 they have numbers only, which mean nothing to the worlds of today.
    static let current = 2

    let format: Int
}

/// A finding as it is written.
struct FindingFile: Codable {
    var format = FindingFormat.current
    /// Of the finding's own JSON.
    let checksum: String
    let finding: FindingBody
}

/// A finding in the words of its file.
struct FindingBody: Codable {
    struct Strategy: Codable {
        let name: String
        var depth: Int?
        var steps: Int?
    }

    struct Decision: Codable {
        let at: Int
        let kind: String
        let options: UInt32
        let taken: UInt32
        /// Hexadecimal digits: JSON's numbers are not for all of 64 bits.
        let site: String
        let ordinal: UInt32
        /// Nanoseconds.
        var time: Int64?
        var subject: String?
        var thread: Int32?
        var chosen: Int32?
    }

    struct Course: Codable {
        /// Of several programs: the role, and the number of its start. Absent from the conductor's.
        var name: String?
        var life: Int?
        let seed: UInt64
        let strategy: Strategy
        /// How many decisions are given, the dull ones included, which are not listed.
        let given: Int
        let then: VirtualTime.Course.Remainder
        let decisions: [Decision]
    }

    struct Script: Codable {
        struct Line: Codable {
            /// Nanoseconds.
            let at: Int64
            var start: Program?
            var kill: String?
            var crash: String?
            /// With “crash”.
            var step: UInt64?
            var end: String?
            var disk: String?
            /// With “disk”.
            var isFull: Bool?
            var clock: String?
            /// With “clock”: nanoseconds.
            var by: Int64?
        }

        struct Direction: Codable {
            let director: String
            let cast: [Program]
        }

        struct Program: Codable {
            let name: String
            let executable: String
            let arguments: [String]
            let environment: [String: String]
        }

        struct Hazard: Codable {
            var name: String
            var kills: Int
            /// Nanoseconds.
            var shortest: Int64
            var longest: Int64
            var until: Int64?
            var diskFills: Int?
            var clockJumps: Int?
        }

        let lines: [Line]
        /// Nanoseconds.
        let end: Int64
        var direction: Direction?
        var hazards: [Hazard]?
    }

    struct Ending: Codable {
        let name: String
        var text: String?
        var number: Int32?
    }

    let builds: [BuildIdentity]
    let settings: WorldSettings
    var script: Script?
    var courses: [Course]
    var ending: Ending
    /// Absent if there are none.
    var words: [String]?

    func checksum() throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        var fingerprint = Fingerprint()
        try encoder.encode(self).withUnsafeBytes { fingerprint.add($0) }
        return fingerprint.text
    }
}
