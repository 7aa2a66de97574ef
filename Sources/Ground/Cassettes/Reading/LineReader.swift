import Configuration
import Files
import Foundation
import Glibc

/// The lines of a file, one by one.
struct LineReader {
    /// The bytes of one read. 256 KiB.
    private static let pieceBytes = 256 * 1024

    private let path: String
    private let limit: Int
    private let allowsPart: Bool
    private let handle: FileHandle
    private var buffer = Data()
    private var number = 0

    /// Opens a file.
    ///
    /// - Parameters:
    ///   - limit: The longest line in bytes.
    ///   - allowsPart: True to leave out a last line without an end, instead of an error.
    init(_ path: String, limit: Int, allowsPart: Bool) throws(CassetteError) {
        (self.path, self.limit, self.allowsPart) = (path, limit, allowsPart)
        do {
            handle = try FileHandle(forReadingFrom: URL(filePath: path))
        } catch {
            throw Self.unreadable(path, error)
        }
    }

    /// Returns the next line, without its end.
    mutating func next() throws(CassetteError) -> Data? {
        number += 1
        while true {
            if let end = buffer.firstIndex(of: UInt8(ascii: "\n")) {
                let line = buffer[buffer.startIndex..<end]
                buffer = buffer[(end + 1)...]
                return Data(line)
            }
            guard buffer.count <= limit else { throw wrong("the line is longer than \(limit) bytes") }
            guard let piece = try read() else {
                guard buffer.isEmpty || allowsPart else { throw wrong("the last line has no end") }
                return nil
            }
            // Without what was taken, so that the buffer stays as long as a line and a piece.
            buffer = Data(buffer) + piece
        }
    }

    private func read() throws(CassetteError) -> Data? {
        do {
            let piece = try handle.read(upToCount: Self.pieceBytes)
            return piece?.isEmpty == false ? piece : nil
        } catch {
            throw Self.unreadable(path, error)
        }
    }

    /// Decodes a line as JSON.
    func decode<Value: Decodable>(_ line: Data) throws(CassetteError) -> Value {
        do {
            return try JSONDecoder().decode(Value.self, from: line)
        } catch {
            throw wrong((error as? DecodingError)?.detail ?? "\(error)")
        }
    }

    /// Returns the error for the last line.
    func wrong(_ reason: String) -> CassetteError { .malformed(path: path, line: number, reason: reason) }

    /// Returns a whole file.
    static func data(of path: String, limit: Int) throws(CassetteError) -> Data {
        do {
            let data = try FileHandle(forReadingFrom: URL(filePath: path)).read(upToCount: limit + 1) ?? Data()
            guard data.count <= limit else { throw CassetteError.tooLong(path: path, limit: limit) }
            return data
        } catch let error as CassetteError {
            throw error
        } catch {
            throw unreadable(path, error)
        }
    }

    private static func unreadable(_ path: String, _ error: any Error) -> CassetteError {
        .malformed(path: path, line: nil, reason: "cannot be read: \((error as NSError).localizedDescription)")
    }
}
