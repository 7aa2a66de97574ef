import Foundation

/// A program's build: courses have a meaning for one build only.
public struct BuildIdentity: Hashable, Codable, Sendable {
    public enum Kind: String, Codable, Sendable {
        /// The linker's note in the executable.
        case buildID = "build id"
        /// A fingerprint of all bytes of the executable, which the linker gave no build id.
        case fingerprint
    }

    /// The file's name, without its directories.
    public let program: String
    public let kind: Kind
    /// Hexadecimal digits.
    public let value: String

    public init(program: String, kind: Kind, value: String) {
        (self.program, self.kind, self.value) = (program, kind, value)
    }

    /// The identity of an executable.
    ///
    /// - Throws: ``BuildIdentityError`` if the file cannot be read.
    public init(executable path: String) throws(BuildIdentityError) {
        let contents: Data
        do {
            contents = try Data(contentsOf: URL(fileURLWithPath: path), options: .alwaysMapped)
        } catch {
            throw BuildIdentityError(path: path, detail: error.localizedDescription)
        }
        program = URL(fileURLWithPath: path).lastPathComponent
        (kind, value) = contents.withUnsafeBytes { bytes in
            if let identifier = ExecutableNotes(bytes).buildID { return (.buildID, identifier) }
            var fingerprint = Fingerprint()
            fingerprint.add(bytes)
            return (.fingerprint, fingerprint.text)
        }
    }

    /// The program that runs.
    public static func current() throws(BuildIdentityError) -> BuildIdentity {
        let link = "/proc/self/exe"
        let path: String
        do {
            path = try FileManager.default.destinationOfSymbolicLink(atPath: link)
        } catch {
            throw BuildIdentityError(path: link, detail: "\(error.localizedDescription); is /proc mounted?")
        }
        return try BuildIdentity(executable: path)
    }
}

extension BuildIdentity: CustomStringConvertible {
    public var description: String { "\(program) (\(kind.rawValue) \(value))" }
}
