import Foundation
import Glibc

/// A mangled name of Swift's, and the way people write it.
package struct SwiftName {
    private let mangled: String

    package init(mangled: String) { self.mangled = mangled }

    private typealias Demangle =
        @convention(c) (
            UnsafePointer<CChar>, Int, UnsafeMutablePointer<CChar>?, UnsafeMutablePointer<Int>?, UInt32
        ) -> UnsafeMutablePointer<CChar>?
    /// The function of the Swift runtime; nil if this program's runtime does not export it.
    private static let demangle = dlsym(nil, "swift_demangle").map { unsafeBitCast($0, to: Demangle.self) }

    /// The name with all types, without the marks of private declarations and of extensions.
    package var full: String {
        guard let text = Self.demangle?(mangled, mangled.utf8.count, nil, nil, 0) else { return mangled }
        defer { free(text) }
        return String(cString: text).replacing(/\((\w+) in _[0-9A-F]+\)/) { $0.1 }
            .replacing(/\(extension in \w+\):/, with: "")
    }

    /// The name without types: `closure #1 in App.Screen.send()`.
    package var short: String {
        full.components(separatedBy: " in ").map(Self.withoutTypes).filter { !$0.isEmpty }.joined(separator: " in ")
    }

    private static func withoutTypes(_ part: String) -> String {
        if part.hasPrefix("closure #") { return part.split(separator: " ").prefix(2).joined(separator: " ") }
        guard let open = part.firstIndex(of: "(") else { return part.contains("->") ? "" : part }
        return part[..<open].drop { $0 == " " } + "(" + labels(of: part).map { "\($0):" }.joined() + ")"
    }

    /// Returns the labels of a function's parameters.
    private static func labels(of text: String) -> [String] {
        guard let open = text.firstIndex(of: "(") else { return [] }
        var (labels, depth, word) = ([String](), 0, "")
        // The bracket of an arrow closes nothing.
        for character in text[open...].replacing("->", with: "") {
            switch character {
            case "(", "[", "<": depth += 1
            case ")", "]", ">":
                depth -= 1
                if depth <= 0, character == ")" { return labels }
            case ":":
                if depth == 1 { labels.append(word.trimmingCharacters(in: .whitespaces)) }
            case ",": word = ""
            default: word.append(character)
            }
        }
        return labels
    }

    /// True if this is the function itself, by its name as in source: `fetch(of:)`.
    ///
    /// - Parameter type: The type to which it belongs, with its module; nil for any.
    package func isFunction(_ name: String, of type: String? = nil) -> Bool {
        let text = full
        // That of a closure is preceded by a blank.
        guard let open = text.firstIndex(of: "(") else { return false }
        let base = name.prefix { $0 != "(" }
        let path = text[..<open]
        guard path.hasSuffix(".\(base)"), type.map({ path == "\($0).\(base)" }) ?? true else { return false }
        let wanted = name.dropFirst(base.count).filter { $0 != "(" && $0 != ")" }.split(separator: ":")
        return Self.labels(of: text) == wanted.map(String.init)
    }
}
