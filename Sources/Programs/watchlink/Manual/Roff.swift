/// A manual page as it is written: man(7).
struct Roff {
    private(set) var text = ""

    init(title: String, section: Int, summary: String) {
        // A fixed source line and no date: the same build gives the same page.
        text =
            ".\\\" Made by “watchlink man”.\n.TH \(Self.escaped(title.uppercased())) \(section) \"\" \"WatchLink\" \"WatchLink manual\"\n"
        heading("NAME")
        paragraph("\(title) \\- \(Self.escaped(summary))", isRaw: true)
    }

    mutating func heading(_ name: String) { text += ".SH \(Self.escaped(name))\n" }
    mutating func subheading(_ name: String) { text += ".SS \(Self.escaped(name))\n" }

    mutating func paragraph(_ words: String, isRaw: Bool = false) {
        text += ".PP\n".dropFirst(text.hasSuffix(".SH NAME\n") ? 4 : 0)
        text += Self.line(isRaw ? words : Self.escaped(words)) + "\n"
    }

    /// A term in bold, and what is said of it.
    mutating func item(_ term: String, _ words: String) {
        text += ".TP\n\\fB\(Self.escaped(term))\\fR\n\(Self.line(Self.escaped(words)))\n"
    }

    /// Lines as they stand.
    mutating func example(_ lines: [String]) {
        text += ".PP\n.nf\n" + lines.map { Self.line("    " + Self.escaped($0)) + "\n" }.joined() + ".fi\n"
    }

    mutating func seeAlso(_ pages: [String]) {
        heading("SEE ALSO")
        text +=
            pages.map { page in
                let parts = page.dropLast().split(separator: "(")
                return parts.count == 2 ? "\\fB\(Self.escaped(String(parts[0])))\\fR(\(parts[1]))" : Self.escaped(page)
            }.joined(separator: ",\n") + "\n"
    }

    /// A line must not begin like a request.
    private static func line(_ text: String) -> String {
        text.hasPrefix(".") || text.hasPrefix("'") ? "\\&" + text : text
    }

    /// Hyphens stay what they are, so that options can be copied; everything else is UTF-8.
    static func escaped(_ text: String) -> String {
        text.map { character in
            switch character {
            case "\\": "\\e"
            case "-": "\\-"
            default: String(character)
            }
        }.joined()
    }
}
