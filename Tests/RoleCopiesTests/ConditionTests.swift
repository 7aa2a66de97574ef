import RoleCopies
import Testing

@Suite("Conditions")
struct ConditionTests {
    /// The line that remains of `#if … / yes / #else / no / #endif`, and the directive if there still is one.
    private func decided(_ condition: String, for role: CopyRole) throws -> [Int: String] {
        try copiedLines("#if \(condition)\nyes\n#else\nno\n#endif", for: role)
    }

    @Test(
        "A role decides the systems, and all that follows from them",
        arguments: [
            ("os(iOS)", true, false), ("os(watchOS)", false, true), ("!os(iOS)", false, true),
            ("os(macOS)", false, false),
            ("os(Linux)", false, false), ("!os(Linux)", true, true), ("os(iOS) || os(watchOS)", true, true),
            ("os(iOS) && os(watchOS)", false, false), ("(os(iOS))", true, false),
            ("!(os(iOS) || os(tvOS))", false, true),
            ("os(iOS) || DEBUG", true, nil), ("os(watchOS) && canImport(WatchKit)", false, nil),
            ("os(iOS)&&os(iOS)", true, false), ("os( iOS )", true, false), ("os(iOS) // os(watchOS)", true, false),
            ("os(iOS) /* ( */ || /* && */ os(tvOS)", true, false),
            ("os(visionOS) || os(watchOS) && os(iOS)", false, false),
            ("true", true, true), ("DEBUG && os(tvOS)", false, false), ("DEBUG || os(iOS)", true, nil),
            ("false || os(iOS)", true, false), ("!(!os(iOS))", true, false),
            ("os(iOS) || os(watchOS) && arch(arm64)", true, nil), ("os(OSX)", false, false),
        ])
    func systems(_ condition: String, _ phone: Bool?, _ watch: Bool?) throws {
        for (role, value) in [(CopyRole.phone, phone), (.watch, watch)] {
            let lines = try decided(condition, for: role).filter {
                !$0.value.hasPrefix("//") && !$0.value.hasPrefix("/*")
            }
            if let value {
                #expect(lines == (value ? [2: "yes"] : [4: "no"]), "\(role)")
            } else {
                #expect(lines.keys.sorted() == [1, 2, 3, 4, 5], "\(role)")
            }
        }
    }

    @Test(
        "What a role does not decide is left for the compiler, without what it does",
        arguments: [
            ("DEBUG", "DEBUG"), ("os(iOS) && DEBUG", "DEBUG"), ("canImport(UIKit) && !os(watchOS)", "canImport(UIKit)"),
            ("os(iOS) && targetEnvironment(simulator)", "targetEnvironment(simulator)"),
            ("!targetEnvironment(macCatalyst) && os(iOS)", "!targetEnvironment(macCatalyst)"),
            ("swift(>=5.9) && os(iOS) && compiler(>=6)", "swift(>=5.9) && compiler(>=6)"),
            ("!(os(watchOS) || DEBUG)", "!DEBUG"), ("!(!DEBUG && os(iOS))", "DEBUG"),
            ("!(os(iOS) && (A || B))", "!(A || B)"),
            ("os(iOS) && (A || B) && C", "(A || B) && C"), ("os(tvOS) || A || B", "A || B"),
            ("canImport(Foo, _version: 1.2) || os(macOS)", "canImport(Foo, _version: 1.2)"),
            ("hasFeature(X) && os(iOS)", "hasFeature(X)"), ("arch(arm64) || os(tvOS)", "arch(arm64)"),
            ("os(iOS) && A || B", "A || B"), ("VALUE == 1 && os(iOS)", "VALUE == 1 && os(iOS)"),
            ("A  &&  B", "A  &&  B"),
            // Invalid: `&&!` and `!!` are operators of their own.
            ("os(iOS)&&!os(watchOS)", "os(iOS)&&!os(watchOS)"), ("!!os(iOS)", "!!os(iOS)"), ("os()", "os()"),
            ("os(iOS, tvOS)", "os(iOS, tvOS)"), ("", ""),
        ])
    func open(_ condition: String, _ rest: String) throws {
        let text = try copiedText("#if \(condition)\nyes\n#endif", for: .phone)
        let first = text.split(separator: "\n").first.map(String.init) ?? ""
        #expect(first.replacing(/[ ]+$/, with: "") == "#if \(rest)".replacing(/[ ]+$/, with: ""))
        #expect(text.hasSuffix("\nyes\n#endif"))
    }

    @Test("A chain keeps the branches that the compiler decides, and ends with the one that the role takes")
    func chains() throws {
        let chain = "#if os(tvOS)\na\n#elseif DEBUG\nb\n#elseif os(iOS)\nc\n#elseif A\nd\n#else\ne\n#endif"
        let phone = try copiedLines(chain, for: .phone)
        #expect(phone == [3: "#if DEBUG", 4: "b", 5: "#else", 6: "c", 11: "#endif"])
        let watch = try copiedLines(chain, for: .watch)
        #expect(
            watch == [
                3: "#if DEBUG", 4: "b", 7: "#elseif A", 8: "d", 9: "#else", 10: "e", 11: "#endif",
            ])
        let decided = try copiedLines("#if os(iOS)\na\n#elseif DEBUG\nb\n#else\nc\n#endif", for: .phone)
        #expect(decided == [2: "a"])
        let nothing = try copiedLines("#if os(tvOS)\na\n#elseif os(macOS)\nb\n#endif", for: .phone)
        #expect(nothing == [:])
    }

    @Test("Blocks in blocks are decided from outside, and directives in what goes are not read")
    func nested() throws {
        let text = "#if DEBUG\n#if os(iOS)\na\n#else\nb\n#if A\nc\n#endif\n#endif\n#endif"
        let phone = try copiedLines(text, for: .phone)
        #expect(phone == [1: "#if DEBUG", 3: "a", 10: "#endif"])
        let watch = try copiedLines(text, for: .watch)
        #expect(watch == [1: "#if DEBUG", 5: "b", 6: "#if A", 7: "c", 8: "#endif", 10: "#endif"])
    }

    @Test("Conditions of several lines, and of one line in a postfix expression")
    func shapes() throws {
        let long = try copiedLines("#if os(tvOS) ||\n    os(iOS) // or\n    && DEBUG\na\n#endif", for: .phone)
        #expect(long == [1: "#if DEBUG", 4: "a", 5: "#endif"])
        let chain = "view\n    .foo()\n    #if os(iOS)\n    .bar()\n    #else\n    .baz()\n    #endif\n    .end()"
        let phone = try copiedLines(chain, for: .phone)
        #expect(phone == [1: "view", 2: ".foo()", 4: ".bar()", 8: ".end()"])
        let watch = try copiedLines(chain, for: .watch)
        #expect(watch == [1: "view", 2: ".foo()", 6: ".baz()", 8: ".end()"])
        let short = try copiedLines("a.foo #if os(iOS) .bar #endif", for: .phone)
        #expect(short == [1: "a.foo .bar"])
        let without = try copiedLines("a.foo #if os(watchOS) .bar #endif", for: .phone)
        #expect(without == [1: "a.foo"])
    }

    @Test("What remains of a line keeps its column")
    func columns() throws {
        let text = try copiedText("a #if os(iOS)\n    é #endif\n  b", for: .phone)
        #expect(text == "a            \n    é       \n  b")
    }
}
