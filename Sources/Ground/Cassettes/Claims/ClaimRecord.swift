import Configuration
import Foundation

/// A record of what the fidelity probe has observed on a pair of devices: the lines of a file `claims.jsonl`.
package struct ClaimRecord: Sendable {
    /// The name of the file.
    package static let file = "claims.jsonl"
    /// The version of the form of its lines.
    private static let format = 1

    package let path: String
    /// The phone and its system, as its app named them.
    package let phone: String
    package let watch: String
    /// The claims in the order of the file.
    package let claims: [ObservedClaim]

    private struct Head: Decodable {
        let format: Int
        let phone: String
        let watch: String
    }

    private struct Line: Decodable {
        let id: String
        let side: String
        let claim: String
        let observed: String?
        let notTried: String?
    }

    /// Returns true if a path is a record, and no cassette: a file, or a directory that contains one.
    package static func exists(at path: String) -> Bool {
        var isDirectory: ObjCBool = false
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory) else { return false }
        return !isDirectory.boolValue
            || FileManager.default.fileExists(atPath: "\(path)/\(file)") && !Cassette.exists(at: path)
    }

    /// Reads a record. Its last line may lack its end, as in text that a person has copied.
    ///
    /// - Parameter path: The file, or the directory that contains it.
    package init(at path: String) throws(CassetteError) {
        self.path = path
        var isDirectory: ObjCBool = false
        _ = FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory)
        let file = isDirectory.boolValue ? "\(path)/\(Self.file)" : path
        let data = try LineReader.data(of: file, limit: CassetteLimits.claims)
        var head: Head?
        var claims: [ObservedClaim] = []
        var keys: Set<ObservedClaim.Key> = []
        let lines = data.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        for (place, line) in lines.enumerated() where !line.allSatisfy({ $0 <= UInt8(ascii: " ") }) {
            guard head != nil else {
                head = try Self.head(Data(line), file, place + 1)
                continue
            }
            let claim = try Self.claim(Self.decode(Data(line), file, place + 1), file, place + 1)
            guard keys.insert(claim.key).inserted else {
                throw .malformed(
                    path: file, line: place + 1, reason: "the \(claim.key.side)'s “\(claim.key.id)” is there twice")
            }
            claims.append(claim)
        }
        guard let head, !claims.isEmpty else {
            throw .malformed(
                path: file, line: nil, reason: "it has no claims; give the file that the probe has written")
        }
        (phone, watch, self.claims) = (head.phone, head.watch, claims)
    }

    private static func head(_ line: Data, _ file: String, _ number: Int) throws(CassetteError) -> Head {
        let head: Head = try decode(line, file, number)
        guard head.format == format else {
            throw .malformed(
                path: file, line: number,
                reason: "the record has format \(head.format); this version reads format \(format)")
        }
        return head
    }

    private static func claim(_ line: Line, _ file: String, _ number: Int) throws(CassetteError) -> ObservedClaim {
        let key = ObservedClaim.Key(id: line.id, side: line.side)
        switch (line.observed, line.notTried) {
        case (let observed?, nil): return ObservedClaim(key, words: line.claim, .observed(observed))
        case (nil, let reason?): return ObservedClaim(key, words: line.claim, .notTried(reason))
        default:
            throw .malformed(path: file, line: number, reason: "a claim has either “observed” or “notTried”")
        }
    }

    private static func decode<Value: Decodable>(
        _ line: Data, _ file: String, _ number: Int
    ) throws(CassetteError) -> Value {
        do {
            return try JSONDecoder().decode(Value.self, from: line)
        } catch {
            throw .malformed(path: file, line: number, reason: (error as? DecodingError)?.detail ?? "\(error)")
        }
    }
}
