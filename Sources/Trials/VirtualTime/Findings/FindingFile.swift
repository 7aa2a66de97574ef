import Foundation

/// The version of a file's format. It is read before anything else.
struct FindingFormat: Codable {
    /// 2: decisions are identified by their places. Files of format 1 have only their numbers, which are meaningless to
    /// current worlds.
    static let current = 2

    let format: Int
}

/// The file of a finding.
struct FindingFile: Codable {
    var format = FindingFormat.current
    /// The checksum of the finding's JSON.
    let checksum: String
    let finding: FindingBody
}

/// The file representation of a finding.
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
        /// Hexadecimal digits: JSON numbers cannot hold all 64-bit values.
        let site: String
        let ordinal: UInt32
        /// Nanoseconds.
        var time: Int64?
        var subject: String?
        var thread: Int32?
        var chosen: Int32?
    }

    struct Course: Codable {
        /// The role, when there are several programs; absent from the conductor's course.
        var name: String?
        /// The number of the role's start; absent from the conductor's course.
        var life: Int?
        let seed: UInt64
        let strategy: Strategy
        /// The number of given decisions, including the dull ones, which are not listed.
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
            var cutPower: String?
            var crash: String?
            /// Present with “crash”.
            var step: UInt64?
            var end: String?
            var disk: String?
            /// Present with “disk”.
            var isFull: Bool?
            var clock: String?
            /// Present with “clock”: nanoseconds.
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
            /// Absent if false.
            var cutsPower: Bool?
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
    /// Absent if empty.
    var words: [String]?

    func checksum() throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        var fingerprint = Fingerprint()
        try encoder.encode(self).withUnsafeBytes { fingerprint.add($0) }
        return fingerprint.text
    }
}
