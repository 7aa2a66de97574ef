import Files
import Foundation

/// A device's identifier, created at the first start and stored in a file.
package enum DeviceIdentity {
    package struct Unreadable: Error, CustomStringConvertible {
        package let path: String
        package var description: String {
            "\(path) does not contain a UUID: write one to it, or remove the file to get a new identity"
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
        // Durable: a device with a different identifier after a power failure would be unknown to its counterpart.
        try DurableDirectory(of: path).write(
            Data("\(identifier.uuidString)\n".utf8), to: String(path.split(separator: "/").last ?? ""))
        return identifier
    }
}
