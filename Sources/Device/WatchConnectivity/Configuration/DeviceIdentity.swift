import Files
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
        // A device that came back from a power cut as another one would be a stranger to its counterpart.
        try DurableDirectory(of: path).write(
            Data("\(identifier.uuidString)\n".utf8), to: String(path.split(separator: "/").last ?? ""))
        return identifier
    }
}
