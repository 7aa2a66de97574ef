import Foundation

/// The standard error stream of this process.
enum StandardError {
    static func write(_ text: String) { FileHandle.standardError.write(Data(text.utf8)) }
}
