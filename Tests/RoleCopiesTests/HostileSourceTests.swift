import Testing

@testable import RoleCopies

@Suite("Hostile sources")
struct HostileSourceTests {
    @Test(
        "Directives that do not match are refused with their line",
        arguments: [
            ("a\n#if os(iOS)\nb\n", 2, "is not closed"), ("a\n\n#endif", 3, "#endif has no #if before it"),
            ("#else", 1, "#else has no #if before it"), ("#elseif DEBUG", 1, "#elseif has no #if before it"),
            ("#if DEBUG\n#else\n#else\n#endif", 3, "#else comes after the #else"),
            ("#if DEBUG\n#else\n#elseif A\n#endif", 3, "#elseif comes after the #else"),
            ("#if os(tvOS)\n#if A\n#endif\n", 1, "is not closed"), ("a\r\nb\r\n#endif", 3, "#endif has"),
            ("a\n/* /* */\n", 2, "comment is not closed"),
        ])
    func unbalanced(_ text: String, _ line: Int, _ message: String) throws {
        let error = try #require(throws: CopyError.self) { try RoleCopy(of: Array(text.utf8), for: .phone) }
        #expect(error.line == line)
        #expect(error.message.contains(message), "\(error)")
    }

    @Test(
        "What stands in a literal or a comment is no directive",
        arguments: [
            "let a = \"#endif\"", "let a = \"\\\"#if os(tvOS)\"",
            "let a = \"\"\"\n#if os(tvOS)\n\\\"\"\"\n#endif x\n\"\"\"",
            "let a = #\"\"#else\"#", "let a = ##\"\"# #endif \"##", "let a = #\"\"\"\n#if A\n\"\"\"\n\"\"\"#",
            "let a = #\"\"\"#; let b = \"#endif\"", "// #if os(tvOS)",
            "/* #if os(tvOS) /* #endif */ #else */ let a = 1",
            "let a = /\"#endif/", "let a = #/ \" #else \" /#", "let a = #/\n  #endif\n  \"\n/#",
            "f(/\\/#endif\"/)", "let a = \"\\(b(\"#endif)\") + \"/*\") #else\"", "let a = #\"\\#(\")#endif\") /*\"#",
            "let a = 6 / 2 // \" /\nlet b = \"#endif\"", "let a = b! / c; let d = \"#endif\" // /",
            "let `#if` = `a b #endif`", "let c = (a) / 2 + \"#endif\".count / 2", "let a = b ?? /#endif\"/",
            "let a = b.reduce(1, /) + c(\"/ #endif \")", "let a = (b)/2 + \"/ #endif\".count",
        ])
    func literals(_ text: String) throws {
        for role in CopyRole.allCases {
            let copy = try copiedText(text, for: role)
            #expect(copy == text)
        }
    }

    @Test(
        "Literals that are not closed are left for the compiler", arguments: ["\"", "\"\"\"\n", "#\"", "\"\\", "\"\\("])
    func openLiterals(_ text: String) throws {
        let text = "#if os(iOS)\nlet a = 1\n#endif\nlet b = \(text)"
        let copy = try copiedLines(text, for: .phone)
        #expect(copy[2] == "let a = 1")
        #expect(copy[1] == nil)
        #expect(copy[4]?.hasPrefix("let b = ") == true)
    }

    @Test("A raw string of one line may begin with three quotation marks, and ends on it")
    func rawQuotationMarks() throws {
        for literal in ["#\"\"\"#", "#\"\"\" \"#", "##\"\"\"#\"##"] {
            let copy = try copiedLines("let a = \(literal)\n#if os(tvOS)\nb\n#endif\nc", for: .phone)
            #expect(copy == [1: "let a = \(literal)", 5: "c"])
        }
    }

    @Test("A byte order mark goes, CR LF and a missing last line end stay")
    func encodings() throws {
        let marked = try RoleCopy(of: [0xEF, 0xBB, 0xBF] + Array("#if os(iOS)\r\na\r\n#endif\r\nb".utf8), for: .phone)
        #expect(String(decoding: marked.body, as: UTF8.self) == "           \r\na\r\n      \r\nb")
        #expect(
            marked.file(naming: "A.swift").starts(with: Array("#sourceLocation(file: \"A.swift\", line: 2)\na".utf8)))
        let empty = try RoleCopy(of: [], for: .watch)
        #expect(empty.body == [])
        let script = try copiedLines("#!/usr/bin/env swift\nlet a = 1", for: .phone)
        #expect(script == [2: "let a = 1"])
        let notText = try RoleCopy(of: [0xFF, 0x00, 0xFE, 0x0A], for: .watch)
        #expect(notText.body == [0xFF, 0x00, 0xFE, 0x0A])
    }

    @Test("A path with quotation marks names the original in valid Swift")
    func paths() throws {
        let copy = try RoleCopy(of: [], for: .phone).file(naming: "/a \"b\"\\c.swift")
        #expect(
            String(decoding: copy, as: UTF8.self) == "#sourceLocation(file: \"/a \\\"b\\\"\\\\c.swift\", line: 1)\n")
    }

    @Test("The longest source is copied, a longer one is refused with both sizes")
    func longest() throws {
        let line = Array("let value = 1 // \(String(repeating: "value ", count: 50))\n".utf8)
        let count = SourceText.maximumBytes / line.count
        var text: [UInt8] = []
        for _ in 0..<count { text += line }
        text += [UInt8](repeating: 10, count: SourceText.maximumBytes - text.count)
        let copy = try RoleCopy(of: text, for: .phone)
        #expect(copy.body == text)
        text.append(10)
        let error = try #require(throws: CopyError.self) { try RoleCopy(of: text, for: .phone) }
        #expect(error.message.contains("10000001 bytes, and at most 10000000"))
    }

    @Test("Input that repeats what is expensive to read is read once, or refused")
    func repetitions() throws {
        let pieces = [
            "#", "/a ", "/\\", "(", "\"", "@available(", "#/", "@a ", "import a;", "\"\"\"", "`", ".", "\\(", "{", "-",
            "@available(watchOS, unavailable) ", "public ", "#selector(", "class A{#selector(a.", "class A:B ",
            "class ",
            "class A:A{func observeValue(forKeyPath}", "func observeValue(forKeyPath super.observeValue(",
        ]
        for piece in pieces {
            let text = String(repeating: piece, count: 100_000 / piece.utf8.count)
            let copy = try RoleCopy(of: Array(text.utf8), for: .watch)
            #expect(copy.body.count >= text.utf8.count)
        }
        for (piece, message) in [
            ("#if A\n", "levels are read"), ("#if (", "levels are read"), ("#if ", "is not closed"),
            ("\"\\(", "nested in"),
            ("/*", "not closed"), ("#if !!!!!!!!!!", "is not closed"),
        ] {
            let text = String(repeating: piece == "#if (" ? "(" : piece, count: 1000)
            let error = try #require(throws: CopyError.self, "\(piece)") {
                try RoleCopy(of: Array(((piece == "#if (" ? "#if " : "") + text).utf8), for: .watch)
            }
            #expect(error.message.contains(message), "\(piece): \(error)")
        }
    }
}
