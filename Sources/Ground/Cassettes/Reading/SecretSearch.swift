import Foundation

/// The search for secrets in a cassette: in every string of every file, as text, in hexadecimal digits, and in base64, of
/// UTF-8 and of UTF-16 as property lists have it.
///
/// The numbers outside of strings are made by the recording (times, sequences, rounded sizes); no content is written
/// there.
package struct SecretSearch: Sendable {
    /// The shortest secret that is searched for, in bytes. 4: shorter ones occur by chance.
    package static let shortest = 4
    /// The most secrets. 1,000,000: as many need about a gigabyte with all their encodings.
    package static let mostSecrets = 1_000_000

    /// A secret that a cassette contains.
    package struct Finding: Equatable, Sendable {
        package let file: String
        package let line: Int
        /// The line of the list that has the secret: the finding itself must not repeat it.
        package let secret: Int
    }

    private struct Pattern: Sendable {
        let bytes: [UInt8]
        let secret: Int
    }

    /// The patterns by their first four bytes.
    private var patterns: [UInt32: [Pattern]] = [:]
    /// The number of secrets searched for.
    package private(set) var count = 0
    /// The lines of the list whose secrets are too short.
    package private(set) var refused: [Int] = []

    /// Creates a search.
    ///
    /// - Parameter list: A secret in each line; empty lines are ignored.
    package init(_ list: [String]) {
        for (place, secret) in list.enumerated() where !secret.isEmpty {
            let bytes = Array(secret.utf8)
            guard bytes.count >= Self.shortest else {
                refused.append(place + 1)
                continue
            }
            count += 1
            for pattern in Self.encodings(bytes) where pattern.count >= Self.shortest {
                patterns[Self.start(pattern, 0), default: []].append(Pattern(bytes: pattern, secret: place + 1))
            }
        }
    }

    /// Returns the bytes of a secret in each encoding that a cassette could contain.
    private static func encodings(_ bytes: [UInt8]) -> [[UInt8]] {
        let digits = bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        let wide = Array(String(decoding: bytes, as: UTF8.self).utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] })
        return [bytes, Array(digits.utf8), Array(digits.uppercased().utf8)] + base64(bytes) + base64(wide)
    }

    /// Returns the letters of bytes in base64 that depend on them alone.
    private static func base64(_ bytes: [UInt8]) -> [[UInt8]] {
        // In base64 the letters depend on the place of the first byte in its group of three; those of the border depend on
        // the neighbours as well, and are left out.
        (0..<3).map { shift in
            let text = Data([UInt8](repeating: 0, count: shift) + bytes).base64EncodedString()
            let first = [0, 2, 3][shift]
            let letters = (shift + bytes.count) * 8 / 6
            return Array(text.utf8.prefix(letters).dropFirst(first))
        }
    }

    private static func start(_ bytes: [UInt8], _ place: Int) -> UInt32 {
        (0..<4).reduce(0) { $0 << 8 | UInt32(bytes[place + $1]) }
    }

    /// Returns the secrets that the files of a cassette contain.
    package func findings(in path: String) throws(CassetteError) -> [Finding] {
        var findings: [Finding] = []
        for name in CassetteFile.all where FileManager.default.fileExists(atPath: "\(path)/\(name)") {
            var reader = try LineReader("\(path)/\(name)", limit: CassetteLimits.contentLine, allowsPart: true)
            var number = 0
            while let line = try reader.next() {
                number += 1
                for string in Self.strings(line) {
                    for secret in secrets(in: string) {
                        findings.append(Finding(file: name, line: number, secret: secret))
                    }
                }
            }
        }
        return findings
    }

    /// Returns the secrets that a text contains, each once.
    func secrets(in bytes: [UInt8]) -> Set<Int> {
        var found: Set<Int> = []
        guard bytes.count >= Self.shortest else { return found }
        for place in 0...(bytes.count - Self.shortest) {
            for pattern in patterns[Self.start(bytes, place)] ?? []
            where bytes[place...].starts(with: pattern.bytes) { found.insert(pattern.secret) }
        }
        return found
    }

    /// Returns the strings of a line of JSON, without their escapes.
    static func strings(_ line: Data) -> [[UInt8]] {
        var strings: [[UInt8]] = []
        var start: Data.Index?
        var isEscaped = false
        for place in line.indices {
            let byte = line[place]
            guard let begun = start else {
                if byte == UInt8(ascii: "\"") { start = place }
                continue
            }
            if isEscaped {
                isEscaped = false
            } else if byte == UInt8(ascii: "\\") {
                isEscaped = true
            } else if byte == UInt8(ascii: "\"") {
                strings.append(plain(line[begun...place]))
                start = nil
            }
        }
        return strings
    }

    /// Returns a string's text; as it is, if it is not JSON.
    private static func plain(_ literal: Data) -> [UInt8] {
        guard literal.contains(UInt8(ascii: "\\")),
            // A damaged string is searched as it is.
            let text = try? JSONDecoder().decode(String.self, from: literal)
        else { return Array(literal.dropFirst().dropLast()) }
        return Array(text.utf8)
    }
}
