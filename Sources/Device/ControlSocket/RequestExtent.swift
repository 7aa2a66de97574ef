import Foundation

/// How much the text of one request holds, counted before it is decoded.
///
/// The decoder makes objects of each value, which cost a hundred times the bytes of a short one, and the depth of a value makes each
/// of its errors dearer. Counting takes one look at each byte and no memory.
enum RequestExtent {
    /// Most keys and values. 250,000: 64 objects, as many as one request of the command line brings, of 500 parts each; a third of
    /// what makes a request wait for a second in a build without optimisation.
    static let maximumParts = 250_000
    /// Most objects and lists in each other. 8: the deepest that a request of the command line has lies in six.
    static let maximumDepth = 8
    /// Longest number. 64 characters: the longest that anything writes is 25.
    static let maximumNumber = 64

    /// - Throws: What is more than a request may hold.
    static func check(_ line: Data) throws(ControlError) {
        guard let excess = line.withUnsafeBytes(excess) else { return }
        throw ControlError(ControlError.invalidRequest, "a request may have \(excess)")
    }

    /// The bound that a text passes; nil if it passes none. One loop without calls, which also a build without optimisation makes
    /// quick.
    private static func excess(_ bytes: UnsafeRawBufferPointer) -> String? {
        var (parts, depth, number) = (1, 0, 0)
        var isInString = false
        var place = 0
        while place < bytes.count {
            let byte = bytes[place]
            place += 1
            if isInString {
                // What is escaped ends no text.
                if byte == UInt8(ascii: "\\") { place += 1 } else if byte == UInt8(ascii: "\"") { isInString = false }
                continue
            }
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."):
                number += 1
                if number > maximumNumber { return "numbers of \(maximumNumber) characters" }
                continue
            case UInt8(ascii: ","), UInt8(ascii: ":"): parts += 1
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                parts += 1
                depth += 1
                if depth > maximumDepth { return "\(maximumDepth) objects and lists in each other" }
            case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
            case UInt8(ascii: "\""): isInString = true
            default: break
            }
            number = 0
            if parts > maximumParts { return "\(maximumParts) keys and values" }
        }
        return nil
    }
}
