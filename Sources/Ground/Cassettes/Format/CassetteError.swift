package import Files

/// The error for a cassette that cannot be made, read or trusted.
package enum CassetteError: Error, Equatable, CustomStringConvertible {
    /// The directory of a new cassette has files.
    case occupied(path: String)
    /// There is nothing at the path.
    case missing(path: String)
    /// The directory has no manifest, and no directory below it has one.
    case noCassette(path: String)
    /// The directory has no manifest, but contains cassettes.
    case several(path: String, cassettes: [String])
    /// The format is newer than this reader.
    case newer(path: String, format: Int)
    /// A file is longer than a cassette may be.
    case tooLong(path: String, limit: Int)
    /// A file, or a line of it, is not what the format says.
    case malformed(path: String, line: Int?, reason: String)
    /// A system call failed.
    case system(SystemError)

    package var description: String {
        switch self {
        case .occupied(let path): "\(path) is not empty; record into a new directory"
        case .missing(let path): "\(path) does not exist; give the directory that a recording made"
        case .several(let path, let cassettes):
            "\(path) is not a cassette but contains \(cassettes.count); give one, such as \(cassettes.first ?? path)"
        case .noCassette(let path):
            "\(path) is not a cassette: it has no \(CassetteFile.manifest); give the directory that a recording made"
        case .newer(let path, let format):
            "\(path) has format \(format); this version reads formats up to \(CassetteManifest.currentFormat)"
        case .tooLong(let path, let limit): "\(path) is longer than \(limit) bytes, which no cassette is"
        case .malformed(let path, let line, let reason): "\(path)\(line.map { ":\($0)" } ?? ""): \(reason)"
        case .system(let error): "\(error)"
        }
    }
}
