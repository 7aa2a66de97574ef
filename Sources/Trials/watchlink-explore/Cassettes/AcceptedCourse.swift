import CassetteReplay
import Cassettes
import Foundation
import VirtualTime

/// The course of a build that was accepted: what later builds are compared with.
///
/// A recording shows no values, so an app that is given made-up ones may take another course than the recorded one. A
/// known build is therefore replayed once; with the same values, later builds must do the same.
struct AcceptedCourse {
    let tape: AppTape
    let variables: Variables
    /// The causes of what the build said was wrong.
    let findings: Set<String>

    /// Returns the directory of the accepted course of a side.
    static func path(of cassette: String, _ side: String) -> String {
        "\(cassette)/\(CassetteFile.accepted)\(side)"
    }

    /// Reads the accepted course of a side; nil if there is none.
    init?(of cassette: Cassette, side: String) throws {
        let path = Self.path(of: cassette.path, side)
        guard Cassette.exists(at: path) else { return nil }
        let cassette = try Cassette(at: path)
        guard let tape = AppTape(cassette, side: side) else {
            throw CassetteError.malformed(path: path, line: nil, reason: "has no events of the \(side)")
        }
        self.tape = tape
        findings = Set((cassette.manifest.findings ?? []).compactMap { ComplaintWord($0)?.cause })
        let file = "\(path)/\(Variables.file)"
        do {
            variables = try Variables(data: Data(contentsOf: URL(filePath: file)))
        } catch {
            throw CassetteError.malformed(path: file, line: nil, reason: "\(error)")
        }
    }

    /// Writes an accepted course in place of the former one.
    ///
    /// - Parameter findings: What the build said was wrong.
    /// - Returns: Its path.
    static func write(
        _ course: Cassette, _ variables: Variables, findings: [ComplaintWord], of cassette: Cassette, side: String
    ) throws -> String {
        let path = path(of: cassette.path, side)
        let new = path + ".new"
        if FileManager.default.fileExists(atPath: new) { try FileManager.default.removeItem(atPath: new) }
        try course.writeFinished(to: new, findings: findings.map(\.line))
        try variables.data().write(to: URL(filePath: "\(new)/\(Variables.file)"))
        if FileManager.default.fileExists(atPath: path) { try FileManager.default.removeItem(atPath: path) }
        try FileManager.default.moveItem(atPath: new, toPath: path)
        return path
    }
}
