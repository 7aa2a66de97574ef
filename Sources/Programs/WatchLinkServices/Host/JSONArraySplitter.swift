public import Foundation

/// Cuts the text of a JSON array into the texts of its elements as it comes, so that a large one takes no more memory than its
/// largest element. What an element is its reader decides; here only the brackets, the strings and the commas count.
public struct JSONArraySplitter {
    /// Longest element. 1 MiB: a quiz has 64 KiB at most, and six bytes for each if all of it is escaped.
    private static let elementBytes = 1_024 * 1_024

    public struct Malformed: Error, Equatable, CustomStringConvertible {
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

    public init() {}

    /// Takes more of the text, and calls back with each element that is whole.
    public mutating func append(_ bytes: Data, _ body: (Data) throws -> Void) throws {
        for byte in bytes { try append(byte, body) }
    }

    /// - Throws: If the array has not ended.
    public func finish() throws(Malformed) {
        guard place == .afterArray else { throw Malformed(description: "it ends in the middle") }
    }

    private mutating func append(_ byte: UInt8, _ body: (Data) throws -> Void) throws {
        let isSpace = byte == 0x20 || (0x09...0x0D).contains(byte)
        switch place {
        case .beforeArray:
            if isSpace { return }
            guard byte == UInt8(ascii: "[") else { throw Malformed(description: "it does not begin with “[”") }
            place = .inside
        case .afterArray:
            guard isSpace else { throw Malformed(description: "something follows its end") }
        case .inside:
            if depth == 0, !isInString, byte == UInt8(ascii: ",") || byte == UInt8(ascii: "]") {
                try end(isLast: byte == UInt8(ascii: "]"), body)
            } else if !element.isEmpty || !isSpace {
                try keep(byte)
            }
        }
    }

    private mutating func end(isLast: Bool, _ body: (Data) throws -> Void) throws {
        if element.isEmpty {
            guard isLast, count == 0 else {
                throw Malformed(description: "an element is missing after the \(count). one")
            }
        } else {
            count += 1
            try body(element)
            element.removeAll(keepingCapacity: true)
        }
        if isLast { place = .afterArray }
    }

    private mutating func keep(_ byte: UInt8) throws(Malformed) {
        guard element.count < Self.elementBytes else {
            throw Malformed(description: "its \(count + 1). element is longer than \(Self.elementBytes) bytes")
        }
        element.append(byte)
        guard !isInString else {
            if isEscaped {
                isEscaped = false
            } else if byte == UInt8(ascii: "\\") {
                isEscaped = true
            } else if byte == UInt8(ascii: "\"") {
                isInString = false
            }
            return
        }
        switch byte {
        case UInt8(ascii: "\""): isInString = true
        case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
        case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
        default: break
        }
    }
}
