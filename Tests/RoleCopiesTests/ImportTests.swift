import Foundation
import RoleCopies
import Testing

@Suite("Imports and settings")
struct ImportTests {
    private func imports(_ text: String, for role: CopyRole) throws -> [String] {
        try RoleCopy(of: Array(text.utf8), for: role).imports.map {
            "\($0.line) \($0.module)\($0.isTentative ? "?" : "")"
        }
    }

    @Test("Imports are those of the copy, in every form")
    func forms() throws {
        let text = """
            import Foundation; import Combine
            @preconcurrency import WatchConnectivity
            public import struct UIKit.UIColor
            #if os(iOS)
            import UIKit
            #elseif canImport(WatchKit)
            import WatchKit
            #else
            @_spi(A) import ClockKit
            #endif
            // import Comment
            #if os(tvOS)
            #if DEBUG
            import LeftOut
            #endif
            #endif
            let a = "import Literal"
            import class os.OSLog
            import
            """
        let phone = try imports(text, for: .phone)
        #expect(phone == ["1 Foundation", "1 Combine", "2 WatchConnectivity", "3 UIKit", "5 UIKit", "18 os"])
        let watch = try imports(text, for: .watch)
        #expect(
            watch == [
                "1 Foundation", "1 Combine", "2 WatchConnectivity", "3 UIKit", "7 WatchKit?", "9 ClockKit?", "18 os",
            ])
    }

    @Test("A file is left out by its name, its folder or an import that has no condition")
    func settings() throws {
        let settings = TargetSettings(
            role: .phone, leaveOut: ["Views", "Old/A.swift"], leaveOutImporting: ["SwiftUI"])
        #expect(settings.reasonToLeaveOut("Views/B.swift") != nil)
        #expect(settings.reasonToLeaveOut("ViewsB.swift") == nil)
        #expect(settings.reasonToLeaveOut("Old/A.swift") != nil)
        #expect(settings.reasonToLeaveOut("A.swift") == nil)
        #expect(settings.reasonToLeaveOut("Deep/main.swift") != nil)
        let certain = try RoleCopy(of: Array("import SwiftUI\nlet a: Color".utf8), for: .phone).imports
        #expect(settings.reasonToLeaveOut(certain) == "line 1 imports SwiftUI, which nothing supplies on Linux")
        let tentative = try RoleCopy(of: Array("#if canImport(SwiftUI)\nimport SwiftUI\n#endif".utf8), for: .phone)
        #expect(settings.reasonToLeaveOut(tentative.imports) == nil)
        let text = RoleCopy.leftOut("A.swift", because: "no")
        #expect(
            String(decoding: text, as: UTF8.self) == "#sourceLocation(file: \"A.swift\", line: 1)\n// Left out: no.\n")
    }

    @Test("A file that is no JSON5 or has other values is refused with the key")
    func brokenSettings() throws {
        let settings = try TargetSettings(json5: Data("{ role: 'watch', leaveOut: ['A'], } // end".utf8))
        #expect(settings == TargetSettings(role: .watch, leaveOut: ["A"], leaveOutImporting: nil, ownModules: nil))
        for (text, part) in [
            ("", "not JSON5"), ("{ }", "role is missing"), ("{ role: 'car' }", "role has an unknown value"),
            ("{ role: 1 }", "role has the wrong type"),
            ("{ role: 'phone', leaveOut: 'A' }", "leaveOut has the wrong type"),
            ("{ role: 'phone', leaveOut: [1] }", "wrong type"),
        ] {
            let error = try #require(throws: SettingsError.self, "\(text)") {
                try TargetSettings(json5: Data(text.utf8))
            }
            #expect(error.description.contains(part), "\(error)")
            #expect(error.description.contains("with role phone or watch"))
        }
    }

    @Test("The line that names the original takes the place of a first line without code")
    func headings() throws {
        for (text, expected) in [
            ("// A\nlet a = 1", "line: 2)\nlet a = 1"), ("\r\nlet a = 1", "line: 2)\nlet a = 1"),
            ("let a = 1\n", "line: 1)\nlet a = 1\n"), ("/* A\n*/", "line: 1)\n/* A\n*/"), ("// A", "line: 1)\n// A"),
            ("#if os(iOS)\nlet a = 1\n#endif", "line: 2)\nlet a = 1\n      "),
        ] {
            let copy = try RoleCopy(of: Array(text.utf8), for: .phone).file(naming: "A.swift")
            #expect(String(decoding: copy, as: UTF8.self) == "#sourceLocation(file: \"A.swift\", \(expected)")
        }
    }
}
