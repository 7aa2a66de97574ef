import RoleCopies
import Testing

@Suite("Observers of key paths that are text")
struct KeyPathObserverTests {
    private func gaps(_ text: String) -> [String] {
        LayerSurvey([LayerSurvey.Source(path: "A.swift", text: Array(text.utf8))], role: .phone).gaps.map(\.name)
    }

    @Test(
        "A class that overrides the method declares the protocol, and overrides nothing",
        arguments: [
            (
                "class A: B {\noverride func observeValue(forKeyPath c: D) { }\n}",
                "class A: B, KeyPathObserver {\n         func observeValue(forKeyPath c: D) { }\n}"
            ),
            (
                "public class A\n: B, C\n{ @E(f) override public func observeValue(forKeyPath c: D) { } }",
                "public class A\n: B, C, KeyPathObserver\n{ @E(f)          public func observeValue(forKeyPath c: D) { } }"
            ),
            (
                "class A<T: U>: B<T> where T: V { public override final func observeValue(forKeyPath c: D) { } }",
                "class A<T: U>: B<T>, KeyPathObserver where T: V { public          final func "
                    + "observeValue(forKeyPath c: D) { } }"
            ),
            (
                "class A<T: U> { func observeValue(forKeyPath c: D) { } }",
                "class A<T: U>: KeyPathObserver { func observeValue(forKeyPath c: D) { } }"
            ),
            (
                "extension A.B { override func observeValue(forKeyPath c: D) { } }",
                "extension A.B: KeyPathObserver {          func observeValue(forKeyPath c: D) { } }"
            ),
            (
                "class A { private class B: C { override func observeValue(forKeyPath c: D) { } }; override func e() { } }",
                "class A { private class B: C, KeyPathObserver {          func observeValue(forKeyPath c: D) { } }; "
                    + "override func e() { } }"
            ),
        ])
    func overriding(_ text: String, _ expected: String) throws {
        let copy = try copiedText(text, for: .watch)
        #expect(copy == expected)
        let gaps = gaps(text)
        #expect(gaps == [])
    }

    @Test("The call of the inherited method becomes a statement without effect, over as many lines")
    func inheritedCall() throws {
        let text = """
            class A: B {
                override func observeValue(forKeyPath keyPath: String?) {
                    guard a else { return super.observeValue(forKeyPath: keyPath) }
                    super.observeValue(
                        forKeyPath: keyPath, of: f { "}" })
                    other.observeValue(forKeyPath: keyPath)
                }
            }
            class C: D { func e() { super.observeValue(forKeyPath: f) } }
            """
        let copy = try copiedLines(text, for: .phone)
        #expect(
            copy == [
                1: "class A: B, KeyPathObserver {", 2: "func observeValue(forKeyPath keyPath: String?) {",
                3: "guard a else { return _ = () }", 4: "_ = ()", 6: "other.observeValue(forKeyPath: keyPath)", 7: "}",
                8: "}", 9: "class C: D { func e() { super.observeValue(forKeyPath: f) } }",
            ])
    }

    @Test("A class that inherits the method from one of its source overrides and calls it")
    func heirs() throws {
        let heir = "class B: C { override func observeValue(forKeyPath c: D) { super.observeValue(forKeyPath: c) } }"
        let text = "class A: E { override func observeValue(forKeyPath c: D) { } }; class C: A { }; \(heir)"
        let copy = try copiedText(text, for: .watch)
        #expect(copy.hasSuffix(heir))
        #expect(copy.hasPrefix("class A: E, KeyPathObserver {"))
        let circle = "class A: B { func observeValue(forKeyPath c: D) { } }; class B: A { }"
        let circular = try copiedText(circle, for: .watch)
        #expect(circular == circle)
    }

    @Test(
        "Other methods stay, and that of what is no class is named as missing",
        arguments: [
            ("override func observeValue(forKeyPath c: D) { }", ["observeValue(forKeyPath:of:change:context:)"]),
            ("struct A { func observeValue(forKeyPath c: D) { } }", ["observeValue(forKeyPath:of:change:context:)"]),
            ("class A: B { override func observeValue(of c: D) { } }", []),
            ("class A: B { func c() { observeValue(d) } }", []),
        ])
    func others(_ text: String, _ expected: [String]) throws {
        let copy = try copiedText(text, for: .watch)
        #expect(copy == text)
        let gaps = gaps(text)
        #expect(gaps == expected)
    }

    @Test(
        "The key path of a session's or a progress's property becomes text, with the name of Objective-C",
        arguments: [
            ("a(#keyPath(WCSession.isReachable), b)", "a(\"reachable\"                    , b)"),
            ("#keyPath(Progress.fractionCompleted)", "\"fractionCompleted\"                 "),
            ("#keyPath( WCSession\n.issued )", "\"issued\"           \n         "),
        ])
    func keyPaths(_ text: String, _ expected: String) throws {
        let copy = try copiedText(text, for: .watch)
        #expect(copy == expected)
        let gaps = gaps(text)
        #expect(gaps == [])
    }

    @Test("Other key paths stay, and are named as missing", arguments: ["A.b", "WCSession.a.b", "isReachable"])
    func otherKeyPaths(_ path: String) throws {
        let text = "let a = #keyPath(\(path))\nlet b = 1, c = d(e, f)"
        let copy = try copiedText(text, for: .watch)
        #expect(copy == text)
        let gaps = gaps(text)
        #expect(gaps == ["#keyPath"])
    }
}
