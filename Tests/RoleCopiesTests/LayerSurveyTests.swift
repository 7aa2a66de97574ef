import RoleCopies
import Testing

@Suite("Surveys")
struct LayerSurveyTests {
    private func survey(_ files: [String: String], _ role: CopyRole = .phone) -> LayerSurvey {
        LayerSurvey(
            files.sorted { $0.key < $1.key }.map { LayerSurvey.Source(path: $0.key, text: Array($0.value.utf8)) },
            role: role)
    }

    @Test("Missing modules are named with file, line and the face that supplies them")
    func modules() {
        let found = survey([
            "A.swift": "import Foundation\n#if os(iOS)\nimport UIKit\n#else\nimport WatchKit\n#endif\nimport Combine",
            "B.swift": "import WatchConnectivity\nimport SwiftUI\nstruct B: View { }",
            "C.swift": "#if canImport(SwiftUI)\nimport SwiftUI\n#endif",
            "D.swift": "#if canImport(os)\nimport os.log\n#endif",
        ])
        let gaps = found.gaps.map { "\($0.file):\($0.line) \($0.name) \($0.supply?.rawValue ?? "-")" }
        #expect(
            gaps == ["A.swift:3 UIKit UIKit", "A.swift:7 Combine Combine", "B.swift:2 SwiftUI -", "D.swift:2 os os"])
        #expect(found.faces == [.uiKit, .combine, .os, .foundationGaps])
        #expect(found.settings.leaveOutImporting == ["SwiftUI"])
        #expect(found.copied == ["A.swift", "C.swift", "D.swift"])
        #expect(found.leftOut.map(\.path) == ["B.swift"])
    }

    @Test("Symbols that nothing supplies are named once in a file, which is left out")
    func symbols() {
        let found = survey([
            "A.swift":
                "import UIKit\nlet a = UIApplication.shared\nclass B: UIViewController { }\nvar c: UIViewController",
            "D.swift": "let d = #selector(e)\n// #keyPath\nlet f = \"#selector\"",
            "G.swift": "import UIKit\nlet UI = 1",
            "H.swift": "class UIOwn { }\nlet i = UIOwn()",
        ])
        let symbols = found.gaps.filter { $0.kind == .symbol }.map { "\($0.file):\($0.line) \($0.name)" }
        #expect(symbols == ["A.swift:3 UIViewController", "D.swift:1 #selector"])
        #expect(found.settings.leaveOut == ["A.swift", "D.swift"])
        #expect(found.copied == ["G.swift", "H.swift"])
    }

    @Test("What Foundation has on Apple's platforms is named with its supply, where the source does not import it")
    func foundation() {
        let found = survey([
            "A.swift": "import Foundation\nclass A: ObservableObject {\n@Published var b = 1\n@Published var c = 1\n}",
            "B.swift": "import Combine\nclass B: ObservableObject { func observeValue(h: Int) { f(localized: 1) } }",
            "C.swift":
                "import Foundation\nlet c = UserDefaults()\nlet d = String(localized: \"d\")",
            "D.swift": "import Foundation\n@Observable final class D { }\nlet g = NSHashTable<D>.weakObjects()",
            "E.swift": "override func observeValue(forKeyPath keyPath: String?) { }",
            "F.swift": "import SwiftUI\nfinal class F: ObservableObject { var i: NSHashTable<F> }",
            "G.swift": "import Observation\n@Observable class G { }\nclass NSMapTable { }\nlet j = NSMapTable()",
            "H.swift":
                "import Dispatch\nlet k = NSEC_PER_SEC + USEC_PER_SEC\nlet l = NSEC_PER_MSEC\nlet m = NSEC_PER_USEC",
        ])
        let symbols = found.gaps.filter { $0.kind == .symbol }.map {
            "\($0.file):\($0.line) \($0.name) \($0.supply?.rawValue ?? "-")"
        }
        #expect(
            symbols == [
                "A.swift:2 ObservableObject Combine", "A.swift:3 Published Combine",
                "C.swift:2 UserDefaults FoundationGaps", "C.swift:3 String(localized:) FoundationGaps",
                "D.swift:2 @Observable FoundationGaps",
                "D.swift:3 NSHashTable -", "E.swift:1 observeValue(forKeyPath:of:change:context:) -",
                "F.swift:2 NSHashTable -", "H.swift:2 NSEC_PER_SEC FoundationGaps",
                "H.swift:2 USEC_PER_SEC FoundationGaps", "H.swift:3 NSEC_PER_MSEC FoundationGaps",
                "H.swift:4 NSEC_PER_USEC FoundationGaps",
            ])
        #expect(found.copied == ["A.swift", "B.swift", "C.swift", "G.swift", "H.swift"])
        #expect(found.leftOut.map(\.path) == ["D.swift", "E.swift", "F.swift"])
    }

    @Test("Combine is supplied to a layer that only uses its names, but not for those that are left out")
    func impliedCombine() {
        let used = survey(["A.swift": "import Foundation\nclass A: ObservableObject { }"])
        #expect(used.faces == [.combine, .foundationGaps])
        let unused = survey([
            "A.swift": "import SwiftUI\nclass A: ObservableObject { let b: Color }", "B.swift": "let b = 1",
        ])
        #expect(unused.faces == [.foundationGaps])
    }

    @Test("A face that only conditional code imports is used unless that code needs more of it")
    func tentativeFaces() {
        let small = survey(["A.swift": "#if canImport(UIKit)\nimport UIKit\nlet a = UIColor.red\n#endif"])
        #expect(small.faces == [.uiKit, .foundationGaps])
        let large = survey(["A.swift": "#if canImport(UIKit)\nimport UIKit\nlet a = UIViewController()\n#endif"])
        #expect(large.faces == [.foundationGaps])
        let both = survey([
            "A.swift": "#if canImport(UIKit)\nimport UIKit\nlet a = UIViewController()\n#endif",
            "B.swift": "import UIKit",
        ])
        #expect(both.faces == [.uiKit, .foundationGaps])
    }

    @Test(
        "Session delegates are found with the expression that creates them",
        arguments: [
            ("class A: NSObject, WCSessionDelegate { }", ["A = A()"]),
            (
                "final class A: NSObject { static let shared = A() }\nextension A: WCSessionDelegate { }",
                ["A = A.shared"]
            ),
            ("class A: WCSessionDelegate { static var main: A = A(); private init() { } }", ["A = A.main"]),
            ("class A: WCSessionDelegate { init(b: Int) { } }", ["A = nil"]),
            ("class A: WCSessionDelegate { init(b: Int = 1, c: (Int, Int) = (1, 2)) { } }", ["A = A()"]),
            ("class A: WCSessionDelegate { init(b: Int = 1, c: Int) { }\noverride init() { } }", ["A = A()"]),
            ("class A: WCSessionDelegate { private init() { } }", ["A = nil"]),
            ("enum A { class B: NSObject, @preconcurrency WCSessionDelegate { static let c = B() } }", ["A.B = A.B.c"]),
            ("class A { class func b() { } static let c = A() }\nclass D: WCSessionDelegate { }", ["D = D()"]),
            ("protocol A: WCSessionDelegate { }", []), ("class A<B> where B: WCSessionDelegate { }", []),
            ("// class A: WCSessionDelegate { }\nlet a: WCSessionDelegate? = nil", []),
            ("#if os(watchOS)\nclass A: WCSessionDelegate { }\n#endif", []),
            ("class A: WCSessionDelegate { func b() { struct C { static let d = A() } } }", ["A = A()"]),
            (
                "class A: WCSessionDelegate { static let b = Self() }\nclass C: WCSessionDelegate { }",
                ["A = A.b", "C = C()"]
            ),
            ("class A: NSObject, WCSessionDelegate { }\nclass B: A { static let c = B() }", ["B = B.c", "A = A()"]),
            ("protocol A: NSObjectProtocol, WCSessionDelegate { }\nclass B: NSObject, A { }", ["B = B()"]),
            ("typealias A = B & WCSessionDelegate\nclass C: NSObject, A { }", ["C = C()"]),
            ("typealias A = WCSessionDelegate\nclass C: D { }", []),
            ("class A: WCSessionDelegate { private static let b = A()\nprivate init() { } }", ["A = nil"]),
            ("class A: WCSessionDelegate { init() throws { } }", ["A = nil"]),
            ("class A<B>: WCSessionDelegate { }", ["A = nil"]),
            ("private final class A: WCSessionDelegate { }", ["A = nil"]),
            ("private enum A { class B: WCSessionDelegate { } }", ["A.B = nil"]),
            (
                "class A: WCSessionDelegate { init(b: B) { } }\nclass C { let a = A(b: B()) }",
                ["A = C()"]
            ),
            (
                "private class A: WCSessionDelegate { }\nclass B { let a = A() }\nactor C { static let d = C()\nvar a: A }",
                ["A = C.d"]
            ),
            ("class A: WCSessionDelegate { init(b: Int) { } }\nstruct B { let a: A }", ["A = nil"]),
            ("class A: WCSessionDelegate { init(b: Int) { } }\nclass B { let c = 1 }", ["A = nil"]),
            (
                "class A: WCSessionDelegate { init(b: Int) { } }\nclass C { let a: A }\nclass D: WCSessionDelegate { }",
                ["D = D()", "A = C()"]
            ),
        ])
    func delegates(_ text: String, _ expected: [String]) {
        let found = survey(["A.swift": text]).delegates.map { "\($0.name) = \($0.expression ?? "nil")" }
        #expect(found == expected)
    }

    @Test("A source that uses a type of one that is left out is left out, too, with the reason")
    func users() {
        let found = survey([
            "A.swift": "import SwiftUI\nstruct A: View { struct Inner { } }", "B.swift": "let b = 1\nlet a = A()",
            "C.swift": "struct C { let a: [B.A] }", "D.swift": "func d(_ e: E) { }", "E.swift": "class E { var a: A? }",
            "F.swift": "let f: Inner", "G.swift": "#if canImport(SwiftUI)\nlet a = A()\n#endif",
            "H.swift": "class H: WCSessionDelegate { let e: E }",
        ])
        #expect(found.copied == ["C.swift", "F.swift", "G.swift"])
        #expect(found.settings.leaveOut == ["B.swift", "D.swift", "E.swift", "H.swift"])
        let reasons = Dictionary(uniqueKeysWithValues: found.leftOut.map { ($0.path, $0.reason) })
        #expect(reasons["B.swift"] == "line 2 uses A, which A.swift declares, and that is left out")
        #expect(reasons["D.swift"] == "line 1 uses E, which E.swift declares, and that is left out")
        let lost = found.leftOut.filter { !$0.delegates.isEmpty }
        #expect(lost.map(\.path) == ["H.swift"])
        #expect(lost.first?.delegates == ["H"])
        #expect(found.delegates == [])
    }

    @Test("A type that another source declares as well is not missing")
    func presentTypes() {
        let found = survey([
            "A.swift": "import SwiftUI\nstruct A: View { }", "B.swift": "struct A { }", "C.swift": "let a = A()",
            "D.swift": "import SwiftUI\nprivate struct D: View { }", "E.swift": "let d = D()",
        ])
        #expect(found.copied == ["B.swift", "C.swift", "E.swift"])
    }

    @Test("Types that two copied sources declare are named, unless they are private or inside of others")
    func clashes() {
        let found = survey([
            "A.swift": "struct A { struct In { } }\nprivate class P { }\nfileprivate enum Q { }",
            "B.swift": "struct B { struct In { } }\nprivate class P { }\nfileprivate enum Q { }",
            "C.swift": "public final class A { }", "D.swift": "extension A { }\nimport SwiftUI\nstruct B: View { }",
        ])
        #expect(found.clashes.map(\.name) == ["A"])
        #expect(found.clashes.first?.files == ["A.swift", "C.swift"])
    }

    @Test("Sources are left out because they are named")
    func named() {
        let sources = ["A/B.swift": "class B: WCSessionDelegate { }", "C.swift": "let b: B"].map {
            LayerSurvey.Source(path: $0.key, text: Array($0.value.utf8))
        }
        let found = LayerSurvey(sources, role: .watch, leavingOut: ["A"])
        #expect(found.copied == [])
        #expect(found.settings.leaveOut == ["A", "C.swift"])
        #expect(found.leftOut.first?.reason == "watchlink-adopt.json5 names A")
    }

    @Test("A module of which a folder has the name is the layer's own, and importing it is nothing that is missing")
    func ownModules() {
        let files = ["Core/A.swift": "public struct A { }", "B.swift": "import Core\nimport Other\nimport Base"]
        let sources = files.map { LayerSurvey.Source(path: $0.key, text: Array($0.value.utf8)) }
        let found = LayerSurvey(sources, role: .phone, modules: ["Base", "Foundation", "Combine"])
        #expect(found.settings.ownModules == ["Base", "Core"])
        #expect(found.gaps.map(\.name) == ["Other"])
    }

    @Test("An import that another one takes the place of is named as it is written")
    func writtenImports() {
        let found = survey(["A.swift": "import SwiftUI\nfinal class A: ObservableObject { }"])
        #expect(found.gaps.map { "\($0.name) \($0.supply?.rawValue ?? "-")" } == ["SwiftUI Combine"])
        #expect(found.faces == [.combine, .foundationGaps])
    }

    @Test("Access levels of imports are mixed if one module has imports with and without one")
    func importLevels() {
        let mixed = survey(["A.swift": "public import Foundation", "B.swift": "import Foundation"])
        #expect(mixed.mixesImportLevels)
        let other = survey(["A.swift": "public import Foundation", "B.swift": "import Dispatch"])
        #expect(!other.mixesImportLevels)
    }

    @Test("Networking is noticed in the copied sources only")
    func networking() {
        let used = survey(["A.swift": "import Foundation\nlet a = URLSession.shared"])
        #expect(used.usesNetworking)
        let unused = survey(["A.swift": "import SwiftUI\nlet a: View, b: URLRequest", "B.swift": "let b = URL.self"])
        #expect(!unused.usesNetworking)
    }

    @Test("An actor that inherits from NSObject is missing, because it does not link")
    func actors() {
        let found = survey([
            "A.swift": "\nactor A: NSObject, WCSessionDelegate { }", "B.swift": "actor B: C { let d: NSObject }",
            "C.swift": "class E { let actor: NSObject }",
        ])
        #expect(found.gaps.map { "\($0.file):\($0.line) \($0.name)" } == ["A.swift:2 actor A: NSObject"])
        #expect(found.copied == ["B.swift", "C.swift"])
    }

    @Test("A source that cannot be copied is left out with its line, and the others are not")
    func broken() {
        let found = survey(["A.swift": "#if A", "B.swift": "let b = 1", "main.swift": "print(1)"])
        #expect(found.copied == ["B.swift"])
        #expect(found.settings.leaveOut == ["A.swift"])
        #expect(found.leftOut.map(\.path) == ["A.swift", "main.swift"])
        #expect(found.leftOut.first?.reason.contains("line 1: this #if is not closed") == true)
    }

    @Test("What only the other device has belongs to it, unless the code asks for the module")
    func otherDevice() {
        let files = [
            "A.swift": "import WatchKit\nlet a = WKApplication.shared()",
            "B.swift": "import UIKit\nlet b = UIApplication.shared",
            "C.swift": "import UIKit\nlet c = UIColor.red",
            "D.swift": "#if canImport(WatchKit)\nlet d = WKApplication.self\n#endif",
            "E.swift": "#if os(watchOS)\nlet e = WKApplication.self\n#else\nlet e = UIApplication.self\n#endif",
        ]
        let (phone, watch) = (survey(files), survey(files, .watch))
        #expect(phone.copied == ["B.swift", "C.swift", "D.swift", "E.swift"])
        #expect(phone.leftOut.map(\.reason) == ["line 2 uses WKApplication, which only the watch has"])
        #expect(watch.copied == ["A.swift", "C.swift", "D.swift", "E.swift"])
        #expect(watch.leftOut.map(\.reason) == ["line 2 uses UIApplication, which only the phone has"])
        #expect(watch.settings.leaveOut == ["B.swift"])
    }
}
