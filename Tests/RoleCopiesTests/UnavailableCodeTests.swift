import RoleCopies
import Testing

@Suite("Unavailable declarations")
struct UnavailableCodeTests {
    @Test(
        "A declaration that is unavailable on the watch is missing in its copy, whatever follows it",
        arguments: [
            "func a() { b { } }", "public func a(_ b: () -> Void = {}) async throws\n    -> Int\n{\n}",
            "var a: Int { 1 }",
            "var a = 1", "var a: Int = {\n 1\n}()", "var a: Array<Int>", "var a: Int?", "var a: Int\n{\n didSet { }\n}",
            "let a = b\n    .map { $0 }\n    .filter { $0 }", "let a =\n    5", "let a = 1 +\n    2",
            "let a = b\n    + c",
            "let a = b\n    ? c\n    : d", "let a = 1,\n    b = 2", "class A: B {\n func a() { \"}\" }\n /* } */\n}",
            "@MainActor public final class A {}", "struct A<B> where B: C {}", "enum A { case a, b }",
            "extension A: B {}",
            "protocol A { func a() }", "init() { }", "subscript(a: Int) -> Int { 1 }", "case a, b(Int)",
            "case a = \"}\"", "typealias A = (B)\n    -> C", "import Foo", "class func a() { }",
            "static let a = /\\}\"/",
            "private(set) var a = 0", "@objc(a:b:) dynamic var a = 0", "lazy var a: A = .init()", "actor A { }",
            "indirect enum A { }", "let a = if b { 1 }\n    else { 2 }", "func a<B>(_ b: B)\n    where B: C { }",
            "var a = b {\n}\nonError: {\n}", "let a = b as\n    C", "var a: B { get }", "func a()", "weak var a: B?",
            "let a = b\n    #if DEBUG\n    .c()\n    #endif\n    .d()", "deinit { }", "@Foo(a: \"}\") struct A { }",
            "func a() { }; ",
        ])
    func declarations(_ declaration: String) throws {
        let lines = declaration.split(separator: "\n", omittingEmptySubsequences: false).count
        for attribute in [
            "@available(watchOS, unavailable)", "@A @available(iOS 13, *) @available(watchOS, unavailable)\n",
        ] {
            for next in [
                "let z = 1", "@A func z() { }", ".z()", "-z", "(z)", "async let z = 1", "#if DEBUG\nz\n#endif", "}",
            ] {
                // A line that begins with a dot continues an expression.
                if next == ".z()" || next == "(z)" { continue }
                let text = "before\n\(attribute) \(declaration)\n\(next)"
                let watch = try copiedLines(text, for: .watch)
                let first = lines + 2 + (attribute.hasSuffix("\n") ? 1 : 0)
                var expected = [1: "before"]
                for (number, line) in next.split(separator: "\n").enumerated() {
                    expected[first + number] = String(line)
                }
                #expect(watch == expected, "\(next)")
                let phone = try copiedLines(text, for: .phone)
                #expect(phone.count >= lines + expected.count, "\(next)")
            }
        }
    }

    @Test("The attribute counts wherever it stands among others, and only for the system and the word")
    func attributes() throws {
        for head in [
            "@available(watchOS, unavailable)", "@available( watchOS , unavailable )",
            "@available(watchOS,unavailable)",
            "@available(watchOS, unavailable, message: \"no, deprecated\")", "public @available(watchOS, unavailable)",
            "@objc @available(watchOS, unavailable) public", "@Foo.Bar(a) @available(watchOS, unavailable)",
            "@available(watchOS, introduced: 2, unavailable)",
            "@available(tvOS, unavailable) @available(watchOS, unavailable) @available(iOS 13, *)",
            "@Foo(bar)\n@available(watchOS, unavailable)\n// remark\n@MainActor\n",
            "@available(watchOS, unavailable)\n#if DEBUG\n@A\n#else\n@B @C\n#endif\n",
        ] {
            let watch = try copiedLines("\(head) func a() { }\nb", for: .watch).values.filter { !$0.hasPrefix("//") }
            #expect(watch == ["b"], "\(head)")
            let phone = try copiedLines("\(head) func a() { }\nb", for: .phone).values
            #expect(phone.contains { $0.hasSuffix("func a() { }") }, "\(head)")
        }
        for head in [
            "@available(watchOS 9, *)", "@available(iOS, unavailable)", "@available(watchOS, deprecated: 9)",
            "@available(watchOS, deprecated, message: \"unavailable\")", "@available(*, unavailable)",
            "@available(watchOS, renamed: \"unavailable\")", "@available(watchOSApplicationExtension, unavailable)",
            "@unavailable(watchOS)", "@available(tvOS, unavailable)",
        ] {
            let text = "\(head) func a() { }"
            let watch = try copiedText(text, for: .watch)
            #expect(watch == text)
        }
    }

    @Test("Members, accessors and one-line types lose only what is unavailable")
    func members() throws {
        let text = "struct A { @available(iOS, unavailable) var b: Int { 1 }  }"
        let phone = try copiedLines(text, for: .phone)
        #expect(phone == [1: "struct A { }"])
        let accessors = try copiedLines(
            "var a: Int {\n@available(iOS, unavailable)\nget { 1 }\nset { }\n}", for: .phone)
        #expect(accessors == [1: "var a: Int {", 4: "set { }", 5: "}"])
        let two = try copiedLines("@available(iOS, unavailable) func a() {} func b() {}", for: .phone)
        #expect(two == [1: "func b() {}"])
        let closure = "f { @available(iOS, unavailable) in }"
        let unknown = try copiedText(closure, for: .phone)
        #expect(unknown == closure)
    }

    @Test("In an #if, what the role keeps is examined, and the directives of what goes go with it")
    func conditional() throws {
        let text = "#if os(watchOS)\n@available(watchOS, unavailable)\nfunc a() {\n#if DEBUG\nb\n#endif\n}\n#endif\nc"
        let watch = try copiedLines(text, for: .watch)
        #expect(watch == [9: "c"])
        let error = try #require(throws: CopyError.self) {
            try copiedText("@available(iOS, unavailable) var a: Int {\n#if DEBUG\n1\n}\n#endif", for: .phone)
        }
        #expect(error.line == 1)
        #expect(error.message.contains("unavailable declaration"))
    }

    @Test("Attributes of Objective-C and of main programs go, their declarations stay")
    func droppedAttributes() throws {
        let lines = try copiedLines(
            "@main\nstruct A { @objc(b:) func b(_ c: Int) { }\n@objcMembers @MainActor class D { @nonobjc let main = 1 } }",
            for: .watch)
        #expect(
            lines == [
                2: "struct A { func b(_ c: Int) { }", 3: "@MainActor class D { let main = 1 } }",
            ])
    }
}
