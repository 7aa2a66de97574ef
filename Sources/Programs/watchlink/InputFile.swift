import Foundation

/// A file given by the user; “-” is standard input.
enum InputFile {
    /// The longest input in bytes. 64 MiB: the limit of the archive codec; a quiz has 64 KiB at most.
    static let maximumBytes = 64 * 1024 * 1024

    static func read(_ name: String) throws(CommandError) -> Data {
        do {
            let handle = name == "-" ? FileHandle.standardInput : try FileHandle(forReadingFrom: URL(filePath: name))
            let data = try handle.read(upToCount: maximumBytes + 1) ?? Data()
            guard data.count <= maximumBytes else { throw CommandError("\(name) has more than \(maximumBytes) bytes") }
            return data
        } catch let error as CommandError {
            throw error
        } catch {
            throw CommandError("\(name) cannot be read: \((error as NSError).localizedDescription)")
        }
    }

    /// The bytes of one read. 256 KiB.
    private static let pieceBytes = 256 * 1024

    /// Calls back with each chunk of a file of any length.
    static func read(_ name: String, _ body: (Data) throws -> Void) throws {
        let handle: FileHandle
        do {
            handle = name == "-" ? FileHandle.standardInput : try FileHandle(forReadingFrom: URL(filePath: name))
        } catch {
            throw CommandError("\(name) cannot be read: \((error as NSError).localizedDescription)")
        }
        while true {
            let piece: Data?
            do {
                piece = try handle.read(upToCount: pieceBytes)
            } catch {
                throw CommandError("\(name) cannot be read: \((error as NSError).localizedDescription)")
            }
            guard let piece, !piece.isEmpty else { return }
            try body(piece)
        }
    }
}
