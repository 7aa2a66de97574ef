import Foundation

/// A device's identifier: made at the first start, kept in a file, the same ever after.
package enum DeviceIdentity {
    package struct Unreadable: Error, CustomStringConvertible {
        package let path: String
        package var description: String {
            "\(path) holds no UUID: put one in, or remove the file to get a new identity"
        }
    }

    static func identifier(at path: String) throws -> UUID {
        if FileManager.default.fileExists(atPath: path) {
            let text = try String(contentsOfFile: path, encoding: .utf8)
            guard let identifier = UUID(uuidString: text.trimmingCharacters(in: .whitespacesAndNewlines)) else {
                throw Unreadable(path: path)
            }
            return identifier
        }
        let identifier = UUID()
        try Data("\(identifier.uuidString)\n".utf8).write(to: URL(filePath: path), options: .atomic)
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
        return identifier
    }
}
