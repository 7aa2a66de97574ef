import CLinux
import Glibc
import Words

/// A parser based on glibc's getopt_long: options before or after operands, `--name=value`, unambiguous abbreviations,
/// and `--` to end the options.
public struct OptionParser: Sendable {
    private let options: [OptionDefinition]

    /// Creates a parser for these options.
    public init(_ options: [OptionDefinition]) { self.options = options }

    /// Parses a command line.
    ///
    /// - Parameter arguments: The arguments without the program's name.
    /// - Throws: A ``UsageError`` for an unknown option, or one whose value is missing or empty.
    public func parse(_ arguments: [String]) throws(UsageError) -> ParsedOptions {
        var lists: [String: [String]] = [:]
        // getopt_long keeps its position in globals and reorders its arguments.
        var words: [UnsafeMutablePointer<CChar>?] = (["watchlink"] + arguments).map { strdup($0) } + [nil]
        let names = options.map { strdup($0.name) }
        defer {
            for word in words { free(word) }
            for name in names { free(name) }
        }
        // Codes above the range of characters identify long options.
        let firstCode: Int32 = 256
        var table = zip(options, names).enumerated().map { index, pair in
            option(
                name: UnsafePointer(pair.1), has_arg: pair.0.placeholder == nil ? no_argument : required_argument,
                flag: nil, val: firstCode + Int32(index))
        }
        table.append(option())
        let shorts =
            ":"
            + options.compactMap { option in option.short.map { "\($0)" + (option.placeholder == nil ? "" : ":") } }
            .joined()

        watchlink_getopt_restart()
        while true {
            let code = getopt_long(Int32(words.count - 1), &words, shorts, table, nil)
            if code == -1 { break }
            let place = Int(watchlink_getopt_index()) - 1
            let word = words.indices.contains(place) ? words[place].map { String(cString: $0) } ?? "" : ""
            guard let definition = definition(code, firstCode) else {
                throw code == Int32(UInt8(ascii: ":"))
                    ? UsageError("\(word) needs a value") : UsageError("unknown option \(word)\(hint(word))")
            }
            let value = watchlink_getopt_argument().map { String(cString: $0) }
            // No value may be empty; in a script this is usually an unset variable.
            guard value?.isEmpty != true else {
                throw UsageError("--\(definition.name): the value is empty; give a value")
            }
            lists[definition.name, default: []].append(value ?? "")
        }
        let operands = words[Int(watchlink_getopt_index())...].compactMap { $0.map { String(cString: $0) } }
        return ParsedOptions(lists: lists, operands: operands)
    }

    /// Returns a suggestion for a misspelt option.
    private func hint(_ word: String) -> String {
        let name = String(word.drop { $0 == "-" }.prefix { $0 != "=" })
        let names = options.map(\.name)
        // A flag that was given a value is not misspelt.
        return names.contains(name) ? "" : NearestWord.hint("--\(name)", among: names.map { "--\($0)" })
    }

    private func definition(_ code: Int32, _ firstCode: Int32) -> OptionDefinition? {
        if code >= firstCode { return options[Int(code - firstCode)] }
        guard let byte = UInt8(exactly: code) else { return nil }
        return options.first { $0.short == Character(Unicode.Scalar(byte)) }
    }

    /// The options formatted as lines of a help text.
    public var help: String {
        let left = options.map { option in
            (option.short.map { "-\($0), " } ?? "    ") + "--\(option.name)"
                + (option.placeholder.map { " \($0)" } ?? "")
        }
        let width = (left.map(\.count).max() ?? 0) + 2
        return zip(left, options).map { text, option in
            "  " + text + String(repeating: " ", count: width - text.count) + option.help
        }.joined(separator: "\n")
    }
}
