import Foundation

/// The identity of a program's build: a course is meaningful for one build only.
public struct BuildIdentity: Hashable, Codable, Sendable {
    /// The source of the identity.
    public enum Kind: String, Codable, Sendable {
        /// The linker's note in the executable.
        case buildID = "build id"
        /// A fingerprint of the executable's bytes, for an executable without a build id.
        case fingerprint
    }

    /// The file name, without directories.
    public let program: String
    /// The source of ``value``.
    public let kind: Kind
    /// The build id or the fingerprint, in hexadecimal digits.
    public let value: String

    /// Creates an identity from its parts.
    public init(program: String, kind: Kind, value: String) {
        (self.program, self.kind, self.value) = (program, kind, value)
    }

    /// Determines the identity of an executable.
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

    /// Returns the identity of the running program.
    ///
    /// - Throws: ``BuildIdentityError`` if its executable cannot be found or read.
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
