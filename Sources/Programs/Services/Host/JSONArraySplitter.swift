public import Foundation

/// An incremental splitter of a JSON array into the texts of its elements; it needs no more memory than the largest
/// element.
/// It looks only at brackets, strings and commas: the elements are parsed elsewhere.
public struct JSONArraySplitter {
    /// The longest element in bytes. 1 MiB: a quiz has 64 KiB at most, and six bytes for each if all of it is escaped.
    private static let elementBytes = 1_024 * 1_024

    /// The text is not a JSON array.
    public struct Malformed: Error, Equatable, CustomStringConvertible {
        /// The message for the user.
        public let description: String
    }

    private enum Place {
        case beforeArray, inside, afterArray
    }

    private var place = Place.beforeArray
    private var depth = 0
    private var isInString = false
    private var isEscaped = false
    private var element = Data()
    private var count = 0

    /// Creates a splitter at the start of a text.
    public init() {}

    /// Appends a part of the text and calls `body` with each complete element.
    ///
    /// - Throws: ``Malformed``, or an error of `body`.
    public mutating func append(_ bytes: Data, _ body: (Data) throws -> Void) throws {
        try bytes.withUnsafeBytes { try append($0, body) }
    }

    /// Checks that the array is complete.
    ///
    /// - Throws: ``Malformed`` if it is not.
    public func finish() throws(Malformed) {
        guard place == .afterArray else { throw Malformed(description: "the array is not closed") }
    }

    private mutating func append(_ bytes: UnsafeRawBufferPointer, _ body: (Data) throws -> Void) throws {
        // The start of the element's part in these bytes: it is copied at once, not byte by byte.
        var start = element.isEmpty ? nil : bytes.startIndex
        for (index, byte) in bytes.enumerated() {
            if isInString {
                passString(byte)
                continue
            }
            guard place == .inside else {
                try passOutside(byte)
                continue
            }
            switch byte {
            case UInt8(ascii: ",") where depth == 0, UInt8(ascii: "]") where depth == 0:
                if let start { try keep(bytes[start..<index]) }
                start = nil
                try end(isLast: byte == UInt8(ascii: "]"), body)
                continue
            case UInt8(ascii: "\""): isInString = true
            case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
            case _ where Self.isSpace(byte): continue
            default: break
            }
            start = start ?? index
        }
        if let start { try keep(bytes[start...]) }
    }

    private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }

    private mutating func passString(_ byte: UInt8) {
        if isEscaped {
            isEscaped = false
        } else if byte == UInt8(ascii: "\\") {
            isEscaped = true
        } else if byte == UInt8(ascii: "\"") {
            isInString = false
        }
    }

    private mutating func passOutside(_ byte: UInt8) throws(Malformed) {
        guard !Self.isSpace(byte) else { return }
        guard place == .beforeArray else { throw Malformed(description: "data follows the end of the array") }
        guard byte == UInt8(ascii: "[") else { throw Malformed(description: "the array must begin with “[”") }
        place = .inside
    }

    private mutating func end(isLast: Bool, _ body: (Data) throws -> Void) throws {
        if element.isEmpty {
            guard isLast, count == 0 else {
                throw Malformed(description: "an element is missing after element \(count)")
            }
        } else {
            count += 1
            try body(element)
            element = Data()
        }
        if isLast { place = .afterArray }
    }

    private mutating func keep(_ bytes: Slice<UnsafeRawBufferPointer>) throws(Malformed) {
        guard element.count + bytes.count <= Self.elementBytes else {
            throw Malformed(description: "element \(count + 1) is longer than \(Self.elementBytes) bytes")
        }
        element.append(contentsOf: bytes)
    }
}
