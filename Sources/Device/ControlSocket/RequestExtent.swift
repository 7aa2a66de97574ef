package import Foundation

/// The limits on the text of a request, checked before it is decoded.
///
/// The decoder creates objects for each value, which cost a hundred times the bytes of a short one, and deep nesting
/// makes each of its errors slower. The check reads each byte once and needs no memory.
package enum RequestExtent {
    /// The maximum number of keys and values. 250,000: 64 objects, the most that one command sends, of 500 parts each;
    /// a third of the number that takes a second in a build without optimization.
    static let maximumParts = 250_000
    /// The maximum nesting depth. 8: the deepest request of the command line has six levels.
    static let maximumDepth = 8
    /// The maximum length of a number. 64 characters: the longest that is ever written has 25.
    static let maximumNumber = 64

    /// Checks a request, or a text in one.
    ///
    /// - Parameter depth: The levels around the text.
    /// - Throws: ``ControlError`` if it exceeds a limit.
    package static func check(_ line: Data, below depth: Int = 0) throws(ControlError) {
        guard let excess = line.withUnsafeBytes({ excess($0, below: depth) }) else { return }
        throw ControlError(ControlError.invalidRequest, "a request may have at most \(excess)")
    }

    /// Returns the limit that a text exceeds, or nil. One loop without calls is fast even in a build without
    /// optimization.
    private static func excess(_ bytes: UnsafeRawBufferPointer, below outer: Int) -> String? {
        var (parts, depth, number) = (1, outer, 0)
        var isInString = false
        var place = 0
        while place < bytes.count {
            let byte = bytes[place]
            place += 1
            if isInString {
                // An escaped character does not end a string.
                if byte == UInt8(ascii: "\\") { place += 1 } else if byte == UInt8(ascii: "\"") { isInString = false }
                continue
            }
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."):
                number += 1
                if number > maximumNumber { return "\(maximumNumber) characters in a number" }
                continue
            case UInt8(ascii: ","), UInt8(ascii: ":"): parts += 1
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                parts += 1
                depth += 1
                if depth > maximumDepth { return "\(maximumDepth) levels of objects and lists" }
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
