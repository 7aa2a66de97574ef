import RoleCopies
import Testing

@Suite("Imports that something takes the place of")
struct ReplacedImportTests {
    private func copy(_ text: String, ownModules: [String] = []) throws -> RoleCopy {
        try RoleCopy(of: Array(text.utf8), for: .phone, ownModules: ownModules)
    }

    private func body(_ text: String, ownModules: [String] = []) throws -> String {
        String(decoding: try copy(text, ownModules: ownModules).body, as: UTF8.self)
    }

    @Test("SwiftUI gives way to what it exports if the source uses none of its names")
    func swiftUI() throws {
        let text = "import SwiftUI\nfinal class A: ObservableObject { var b: B.View? // View\n let c = \"Text\" }"
        let found = try body(text)
        #expect(found == text.replacing("SwiftUI", with: "Combine; import Foundation; import Observation"))
        let imports = try copy("import Foundation\n@preconcurrency import SwiftUI.View").imports
        #expect(
            imports.map { "\($0.line) \($0.module)" } == ["1 Foundation", "2 Combine", "2 Foundation", "2 Observation"])
        let shown = try body("@preconcurrency import SwiftUI.View\nlet a = 1")
        #expect(shown == "@preconcurrency import Combine; import Foundation; import Observation\nlet a = 1")
    }

    @Test(
        "A framework stays imported where its names are used",
        arguments: [
            "import SwiftUI\nstruct A: View { }", "import SwiftUI\nlet a = Color.red",
            "import SwiftUI\nlet a: SwiftUI.Anything", "import SwiftUI\n#Preview { }",
            "import SwiftUI\nfunc a() { b.move(fromOffsets: c, toOffset: 1) }",
            "import HealthKit\nlet a = HKHealthStore()",
            "import CoreLocation\nlet a: CLLocation", "import CoreGraphics\nlet a = CGPath()",
            "import CoreData\nclass A: NSManagedObject { }", "import SwiftData\n@Model class A { }",
            "import AudioToolbox\nAudioServicesPlaySystemSound(1)", "import CryptoKit", "import struct SwiftUI.Color",
            "#if canImport(SwiftUI)\nimport SwiftUI\n#endif", "import UIKit", "import Unknown",
        ])
    func uses(_ text: String) throws {
        let found = try body(text)
        #expect(found == text)
    }

    @Test(
        "Other frameworks give way to Foundation",
        arguments: [
            "import HealthKit\nlet a = b.HKHealthStore",
            "import CoreLocation\nimport ClockKit\nlet a = CLKComplicationServer.sharedInstance()",
            "import CoreGraphics\nlet a = CGPoint(x: 1 as CGFloat, y: 2)", "import CoreData\nlet a = NSObject()",
            "import AVFoundation\nlet a = AVERAGE", "import SwiftData\nlet a = b.Model",
        ])
    func idle(_ text: String) throws {
        let lines = try copiedLines(text, for: .phone)
        #expect(lines[1] == "import Foundation")
        #expect(lines.count == text.split(separator: "\n").count)
    }

    @Test("A module of the layer's own gives way to Foundation, used or not")
    func ownModules() throws {
        let text = "public import Core\nlet a: Core.A"
        let found = try body(text, ownModules: ["Core"])
        #expect(found == "public import Foundation\nlet a: Core.A")
        let other = try body(text)
        #expect(other == text)
    }

    @Test("canImport of a module that every copy has is true")
    func certainModules() throws {
        let lines = try copiedLines(
            "#if canImport(WatchConnectivity) && os(iOS)\nA\n#else\nB\n#endif\n#if canImport(Combine)\nC\n#endif",
            for: .phone)
        #expect(lines == [2: "A", 6: "#if canImport(Combine)", 7: "C", 8: "#endif"])
        let version = "#if canImport(Foundation, _version: 1)\nA\n#endif"
        let open = try copiedText(version, for: .phone)
        #expect(open == version)
    }
}
