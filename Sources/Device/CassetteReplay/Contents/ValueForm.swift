import Foundation
import LinkProtocol

/// The form of a value that differs from run to run, if its digits tell it: the same moment can be written in several ways, and
/// who reads one of them does not read the others.
enum ValueForm: Equatable {
    case secondsSince1970
    case millisecondsSince1970
    case microsecondsSince1970
    /// Foundation's reference date.
    case secondsSince2001
    case millisecondsSince2001
    /// A date of ISO 8601 without a time, or with one.
    case day
    case time
    /// A text with a UUID in it.
    case identifier

    /// The seconds of the years 2017 to 2096, and of 2020 to 2042 since 2001: counters and sizes are hardly ever among them.
    private static let since1970 = 1.5e9..<4e9
    private static let since2001 = 6e8..<1.3e9

    /// Returns the form of a value that is shown; nil for a value of no known form.
    static func of(_ leaf: Leaf) -> ValueForm? {
        guard let value = leaf.value else { return nil }
        return switch leaf.type {
        case "integer", "real": number(value)
        case "string": number(value) ?? text(value)
        default: nil
        }
    }

    private static func number(_ text: String) -> ValueForm? {
        guard let number = Double(text) else { return nil }
        return switch number {
        case since1970: .secondsSince1970
        case since2001: .secondsSince2001
        case _ where since1970.contains(number / 1e3): .millisecondsSince1970
        case _ where since2001.contains(number / 1e3): .millisecondsSince2001
        case _ where since1970.contains(number / 1e6): .microsecondsSince1970
        default: nil
        }
    }

    private static func text(_ text: String) -> ValueForm? {
        if text.wholeMatch(of: #/\d{4}-\d\d-\d\d/#) != nil { return .day }
        if text.prefixMatch(of: #/\d{4}-\d\d-\d\dT\d\d:\d\d/#) != nil { return .time }
        return text.identifierWithin == nil ? nil : .identifier
    }
}

extension String {
    /// The length of a UUID's text, in bytes.
    private static let identifierBytes = 36

    /// The first UUID in it.
    ///
    /// Every text that is shown is asked, for each pair of deeds that may be the same: a regular expression would take longer than
    /// all else in their comparison.
    var identifierWithin: String? {
        guard utf8.count >= Self.identifierBytes else { return nil }
        let bytes = Array(utf8)
        for start in 0...(bytes.count - Self.identifierBytes) where bytes[start + 8] == UInt8(ascii: "-") {
            let text = String(decoding: bytes[start..<(start + Self.identifierBytes)], as: UTF8.self)
            if UUID(text: text) != nil { return text }
        }
        return nil
    }
}
