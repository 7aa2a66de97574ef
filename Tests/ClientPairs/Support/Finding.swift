import Foundation

/// The app's own word that something is wrong, as whoever explores reads it.
enum Finding {
    static func tell(_ text: String) { FileHandle.standardError.write(Data("FINDING: \(text)\n".utf8)) }
}
