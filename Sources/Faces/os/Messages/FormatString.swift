import Foundation

/// A format as `os_log` takes it: printf's conversions, with privacy in braces.
struct FormatString {
    private let format: String

    init(_ format: StaticString) {
        self.format =
            format.hasPointerRepresentation
            ? format.withUTF8Buffer { String(decoding: $0, as: UTF8.self) } : String(Character(format.unicodeScalar))
    }

    /// Returns the text with the arguments in their places.
    func text(_ arguments: [Any], showsPrivate: Bool) -> String {
        var arguments = arguments[...]
        var rest = format[...]
        var result = ""
        while let percent = rest.firstIndex(of: "%") {
            result += rest[..<percent]
            rest = rest[rest.index(after: percent)...]
            guard let conversion = FormatConversion(from: &rest, next: { arguments.popFirst() }) else {
                result += "%"
                continue
            }
            result += conversion.text(next: { arguments.popFirst() }, showsPrivate: showsPrivate)
        }
        return result + rest
    }
}
