public import Foundation

extension URL {
    /// The directory for what the user makes: that of `FileManager`.
    public static var documentsDirectory: URL { directory(.documentDirectory, "Documents") }
    /// The directory for what the app can make again: that of `FileManager`.
    public static var cachesDirectory: URL { directory(.cachesDirectory, "Library/Caches") }
    /// The directory for the app's own files: that of `FileManager`.
    public static var applicationSupportDirectory: URL {
        directory(.applicationSupportDirectory, "Library/Application Support")
    }
    /// The directory around caches and support files: that of `FileManager`.
    public static var libraryDirectory: URL { directory(.libraryDirectory, "Library") }

    private static func directory(_ kind: FileManager.SearchPathDirectory, _ place: String) -> URL {
        // Linux does not have all of them; a device has them in the app's home directory.
        FileManager.default.urls(for: kind, in: .userDomainMask).first
            ?? URL(filePath: NSHomeDirectory()).appending(path: place, directoryHint: .isDirectory)
    }
}
