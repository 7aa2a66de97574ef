import Foundation
import Testing

@testable import RoleCopies

@Suite("Lines")
struct LineTests {
    private static let pieces = [
        "#if os(iOS)\n", "#if os(watchOS) && A\n", "#if DEBUG ||\n os(iOS)\n", "#elseif os(watchOS)\n", "#else\n",
        "#endif\n", "#endif\n", "\"", "\"\"\"", "#\"", "\"#", "\\(", ")", "(", "{", "}", "\n", "\r\n", "\r", "/*", "*/",
        "//",
        "@available(watchOS, unavailable)", "@available(iOS, unavailable)\n", "func a() {\n}\n", "var b = 1\n", "/",
        "/x/",
        "#/", "/#", "@main ", "@objc ", "class ", "é", "🥦", ",", ";", "let c =\n", " ", "import UIKit\n", "`",
        "\u{FEFF}",
    ]

    @Test("A copy has the line ends of its original, whatever the source, and nothing that the original has not")
    func random() {
        var random = SeededGenerator(seed: 7)
        var copies = 0
        for _ in 0..<10_000 {
            var text = ""
            for _ in 0..<Int.random(in: 1...30, using: &random) {
                text += Self.pieces[Int.random(in: 0..<Self.pieces.count, using: &random)]
            }
            let bytes = Array(text.utf8)
            for role in CopyRole.allCases {
                // Sources whose directives do not match are refused.
                guard let copy = try? RoleCopy(of: bytes, for: role) else { continue }
                copies += 1
                let (body, original) = (copy.body, copy.source.bytes)
                #expect(body.filter(SourceText.isLineEnd) == original.filter(SourceText.isLineEnd), "\(text)")
                if body.count == original.count {
                    let changed = zip(body, original).filter { $0 != $1 && $0 != UInt8(ascii: " ") }
                    #expect(changed.isEmpty || text.contains("#"), "\(text)")
                }
            }
        }
        #expect(copies > 2500)
    }

    @Test("A source without a system's name is copied byte by byte: those of these tests' own module")
    func unchanged() throws {
        let folder = URL(filePath: #filePath).resolvingSymlinksInPath().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Sources/Programs/RoleCopies")
        let files = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
        #expect(files.count > 10)
        for file in files {
            let bytes = [UInt8](try Data(contentsOf: file))
            let copy = try RoleCopy(of: bytes, for: .watch)
            #expect(copy.body == bytes, "\(file.lastPathComponent)")
        }
    }
}

/// Random numbers that are the same in each run.
private struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
