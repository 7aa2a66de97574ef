import RoleCopies
import Testing

@Suite("Selectors")
struct SelectorExpressionTests {
    private func survey(_ text: String) -> LayerSurvey {
        LayerSurvey([LayerSurvey.Source(path: "A.swift", text: Array(text.utf8))], role: .phone)
    }

    @Test(
        "A selector becomes a value with the method of its class",
        arguments: [
            ("class A { let b = #selector(c) }", "class A { let b = Selector (A.c) }"),
            ("class A { func b() { d(#selector(c(_:))) } }", "class A { func b() { d(Selector (A.c(_:))) } }"),
            ("class A { let b = #selector(self.c(d:)) }", "class A { let b = Selector (A   .c(d:)) }"),
            ("class A { let b = #selector(Self.c) }", "class A { let b = Selector (A   .c) }"),
            ("class A { let b = #selector(D.E.c) }", "class A { let b = Selector (D.E.c) }"),
            ("let b = #selector(\n  A.c(_:)\n)", "let b = Selector (\n  A.c(_:)\n)"),
            ("extension A.B: C { var d: E { #selector(f) } }", "extension A.B: C { var d: E { Selector (A.B.f) } }"),
            (
                "class A<T: U<V>>: W<X> where T: Y { let b = #selector(c) }",
                "class A<T: U<V>>: W<X> where T: Y { let b = Selector (A.c) }"
            ),
            (
                "class A { enum D { } \n class B { let c = #selector(d) }; let e = #selector(f) }",
                "class A { enum D { } \n class B { let c = Selector (B.d) }; let e = Selector (A.f) }"
            ),
            (
                "class A { class func b() { if c { } }; class var d: E { #selector(f) } }",
                "class A { class func b() { if c { } }; class var d: E { Selector (A.f) } }"
            ),
        ])
    func selectors(_ text: String, _ expected: String) throws {
        let copy = try copiedText(text, for: .watch)
        #expect(copy == expected)
        let gaps = survey(text).gaps.map { "\($0.name) \($0.supply?.rawValue ?? "-")" }
        #expect(gaps == ["Selector FoundationGaps"])
    }

    @Test(
        "A selector whose type or method is not known from its text stays, and is named as missing",
        arguments: [
            "let b = #selector(c)", "struct A { let b = #selector(c) }", "class A { let b = #selector(getter: c) }",
            "class A { let b = #selector(setter: A.c) }", "class A { let b = #selector(c(_:for:)) }",
            "class A { let b = #selector(other.c) }", "class A { let b = #selector(self.other.c) }",
            "class A { let b = #selector(c as (A) -> () -> Void) }", "class A { let b = #selector() }",
            "class A { let b = #selector", "class A { let b = #selector(c(", "} #selector(c)", "class A } #selector(c)",
        ])
    func unknown(_ text: String) throws {
        let copy = try copiedText(text, for: .watch)
        #expect(copy == text)
        let gaps = survey(text).gaps.map { "\($0.name) \($0.supply?.rawValue ?? "-")" }
        #expect(gaps == ["#selector -"])
    }

    @Test("A source with a selector of each kind is left out, and both are named")
    func both() {
        let found = survey("class A { let b = #selector(c); let d = #selector(getter: e) }")
        let names = found.gaps.map(\.name)
        #expect(names == ["Selector", "#selector"])
        #expect(found.copied == [])
    }
}
