import CLinux
import Glibc
import Words

/// glibc's getopt_long: options before or after words, `--name=value`, unambiguous abbreviations, `--` ends the options.
public struct OptionParser: Sendable {
    private let options: [OptionDefinition]

    public init(_ options: [OptionDefinition]) { self.options = options }

    /// - Parameter arguments: Without the program's name.
    public func parse(_ arguments: [String]) throws(UsageError) -> ParsedOptions {
        var lists: [String: [String]] = [:]
        // getopt_long keeps its place in globals, and reorders the words it is given.
        var words: [UnsafeMutablePointer<CChar>?] = (["watchlink"] + arguments).map { strdup($0) } + [nil]
        let names = options.map { strdup($0.name) }
        defer {
            for word in words { free(word) }
            for name in names { free(name) }
        }
        // Codes above those of characters tell long options apart.
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
            // Nothing has an empty name; in a script it is a variable that was never set.
            guard value?.isEmpty != true else {
                throw UsageError("--\(definition.name) needs a value, not an empty text")
            }
            lists[definition.name, default: []].append(value ?? "")
        }
        let operands = words[Int(watchlink_getopt_index())...].compactMap { $0.map { String(cString: $0) } }
        return ParsedOptions(lists: lists, operands: operands)
    }

    /// What was probably meant.
    private func hint(_ word: String) -> String {
        let name = String(word.drop { $0 == "-" }.prefix { $0 != "=" })
        let names = options.map(\.name)
        // A flag with a value is no slip of the finger.
        return names.contains(name) ? "" : NearestWord.hint("--\(name)", among: names.map { "--\($0)" })
    }

    private func definition(_ code: Int32, _ firstCode: Int32) -> OptionDefinition? {
        if code >= firstCode { return options[Int(code - firstCode)] }
        guard let byte = UInt8(exactly: code) else { return nil }
        return options.first { $0.short == Character(Unicode.Scalar(byte)) }
    }

    /// The options as lines of a help text.
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
