import Configuration
import Foundation
import TestSupport
import Testing

/// The command that makes a package of an app. `.ci/adopt` builds such a package and runs it.
@Suite("Adopting")
struct AdoptTests {
    private let bench: TestBench
    private let layer: String
    private let package: String

    init() throws {
        bench = try TestBench()
        layer = bench.path + "/Shared"
        package = bench.path + "/Linux"
        try FileManager.default.copyItem(
            atPath: ProjectFiles.root.appending(path: "Tests/Adopted/Shared").path(percentEncoded: false), toPath: layer
        )
    }

    private static let checkout = ProjectFiles.root.path(percentEncoded: false)

    private func adopt(_ words: [String]) throws -> CommandResult {
        try TestBench.run("watchlink", ["adopt"] + words)
    }

    private func text(_ path: String) throws -> String {
        try String(contentsOfFile: package + "/" + path, encoding: .utf8)
    }

    @Test("A package has two programs of the same folder, by relative links, and depends on what the imports need")
    func programs() throws {
        let result = try adopt([layer, "--into", package, "--name", "Scores", "--watchlink", Self.checkout])
        #expect(result.code == 0, "\(result)")
        for (program, role) in [("Phone", "phone"), ("Watch", "watch")] {
            let link = try FileManager.default.destinationOfSymbolicLink(atPath: "\(package)/Sources/\(program)/App")
            #expect(link == "../../../Shared")
            let settings = try text("Sources/\(program)/watchlink-adopt.json5")
            #expect(settings.contains("role: \"\(role)\""))
            #expect(settings.contains("leaveOutImporting: [\"SwiftUI\"]"))
            let exports = try text("Sources/\(program)/Exports.swift")
            #expect(exports.contains("@_exported import FoundationGaps\n@_exported import Combine\n"))
            #expect(exports.contains("public typealias UserDefaults = DeviceUserDefaults"))
            let main = try text("Sources/\(program)/main.swift")
            #expect(main.contains("let delegate = SessionManager.shared"))
        }
        let manifest = try text("Package.swift")
        #expect(manifest.contains("name: \"Scores\""))
        #expect(manifest.contains("device(\"Phone\", faces: [\"Combine\", \"FoundationGaps\"])"))
        #expect(manifest.contains("device(\"Watch\", faces: [\"Combine\", \"FoundationGaps\", \"WatchKit\"])"))
        #expect(!manifest.contains("path: \"/"))
        let test = try text("Tests/PairTests/PairTests.swift")
        #expect(test.contains("ProcessPair(phone:"))
    }

    @Test("What is missing is named with file, line and supply, as text and as JSON")
    func findings() throws {
        let shown = try adopt([layer, "--into", package, "--watchlink", Self.checkout])
        #expect(shown.output.contains("ScoresApp.swift:1: import SwiftUI: nothing supplies it"), "\(shown)")
        #expect(
            shown.output.contains("SessionManager.swift:9: import WatchKit (watch): supplied by the product WatchKit"))
        #expect(shown.output.contains("Views/RefreshControl.swift:7: symbol #selector (phone): nothing supplies it"))
        #expect(
            shown.output.contains(
                "Highscores.swift:4: symbol ObservableObject: supplied by the product Combine, which the package uses"))
        let json = try adopt([layer, "--into", bench.path + "/Second", "--watchlink", Self.checkout, "--json"])
        let value = try JSONDecoder().decode(JSONValue.self, from: Data(json.output.utf8))
        let missing = value["missing"]?.array?.map { ($0["name"]?.string, $0["suppliedBy"]?.string) } ?? []
        let supplied = missing.filter { $0.1 == "Combine" || $0.1 == "FoundationGaps" }.map { $0.0 }
        #expect(
            supplied == [
                "ObservableObject", "Published", "UserDefaults", "NSPointerArray", "AnyCancellable",
                "containerURL(forSecurityApplicationGroupIdentifier:)", "String(localized:)",
                "performExpiringActivity(withReason:using:)", "AnyPublisher", "NSFileCoordinator", "@Observable",
            ])
        let others = missing.filter { $0.1 != "Combine" && $0.1 != "FoundationGaps" }
        #expect(others.map(\.0) == ["SwiftUI", "WatchKit", "#selector", "SwiftUI"])
        #expect(others.map(\.1) == [nil, "WatchKit", nil, nil])
        let copied = value["devices"]?.array?.map { $0["copied"]?.array?.count }
        #expect(copied == [4, 5])
    }

    @Test("Folders and files of one device are linked into that device's copies, beside those of both")
    func parts() throws {
        let phone = try bench.write("PhoneSession.swift", "final class PhoneSession { }")
        let watch = bench.path + "/Watch/Shared"
        try FileManager.default.createDirectory(atPath: watch, withIntermediateDirectories: true)
        try Data("final class WatchSession { }".utf8).write(to: URL(filePath: watch + "/WatchSession.swift"))
        let shown = try adopt([
            layer, "--phone", phone, "--watch", watch, "--leave-out", layer + "/Views", "--leave-out",
            "Shared/Models/Score.swift", "--into", package, "--watchlink", Self.checkout, "--json",
        ])
        #expect(shown.code == 0, "\(shown)")
        let own = try FileManager.default.destinationOfSymbolicLink(
            atPath: package + "/Sources/Phone/App/PhoneSession.swift")
        #expect(own == "../../../../PhoneSession.swift")
        let second = try FileManager.default.destinationOfSymbolicLink(
            atPath: package + "/Sources/Watch/App/Watch-Shared")
        #expect(second == "../../../../Watch/Shared")
        let value = try JSONDecoder().decode(JSONValue.self, from: Data(shown.output.utf8))
        let copied = value["devices"]?.array?.map { $0["copied"]?.array?.compactMap(\.string) ?? [] } ?? []
        #expect(copied.map { $0.contains("PhoneSession.swift") } == [true, false])
        #expect(copied.map { $0.contains("Watch-Shared/WatchSession.swift") } == [false, true])
        for role in ["Phone", "Watch"] {
            let settings = try text("Sources/\(role)/watchlink-adopt.json5")
            #expect(settings.contains("leaveOut: [\"Shared/Views\", \"Shared/Models/Score.swift\""))
            let both = try FileManager.default.destinationOfSymbolicLink(
                atPath: package + "/Sources/\(role)/App/Shared")
            #expect(both == "../../../../Shared")
        }
    }

    @Test("A folder of one device inside of a folder of both is left out of the other device")
    func innerParts() throws {
        let shown = try adopt([
            layer, "--phone", layer + "/Views", "--into", package, "--watchlink", Self.checkout,
        ])
        #expect(shown.code == 0, "\(shown)")
        let link = try FileManager.default.destinationOfSymbolicLink(atPath: "\(package)/Sources/Watch/App")
        #expect(link == "../../../Shared")
        let watch = try text("Sources/Watch/watchlink-adopt.json5")
        #expect(watch.contains("leaveOut: [\"Views\""))
        let phone = try text("Sources/Phone/watchlink-adopt.json5")
        #expect(!phone.contains("leaveOut: [\"Views\""))
    }

    @Test("A layer that is missing is named, and so are types that two sources declare")
    func verdicts() throws {
        let session = "import SwiftUI\nclass Session: NSObject, WCSessionDelegate { var a: Color? }"
        try Data(session.utf8).write(to: URL(filePath: layer + "/Session.swift"))
        try Data("struct Clash { }".utf8).write(to: URL(filePath: layer + "/First.swift"))
        try Data("struct Clash { }".utf8).write(to: URL(filePath: layer + "/Second.swift"))
        let shown = try adopt([
            layer, "--leave-out", "SessionManager.swift", "--into", package, "--watchlink", Self.checkout,
        ])
        #expect(shown.output.contains("twice: First.swift and Second.swift declare Clash"), "\(shown)")
        #expect(shown.output.contains("the layer itself is missing: Session, which conforms to WCSessionDelegate"))
    }

    @Test("A delegate that another type creates is brought up by that one")
    func creators() throws {
        let folder = bench.path + "/Layer"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let source = """
            public import Foundation
            private final class Receiver: NSObject, WCSessionDelegate { }
            final class Manager { static let shared = Manager(); let receiver = Receiver(); let a: URLRequest? = nil }
            """
        try Data(source.utf8).write(to: URL(filePath: folder + "/A.swift"))
        try Data("import Foundation".utf8).write(to: URL(filePath: folder + "/B.swift"))
        let shown = try adopt([folder, "--into", package, "--watchlink", Self.checkout])
        #expect(
            shown.output.contains(
                "starts with Manager.shared; Manager creates Receiver, which conforms to WCSessionDelegate"),
            "\(shown)")
        let main = try text("Sources/Phone/main.swift")
        #expect(main.contains("let layer = Manager.shared"))
        #expect(!main.contains(".delegate = "))
        let manifest = try text("Package.swift")
        #expect(manifest.contains(".enableUpcomingFeature(\"InternalImportsByDefault\")"))
        let exports = try text("Sources/Watch/Exports.swift")
        #expect(exports.contains("@_exported public import FoundationNetworking"))
    }

    @Test("A repository is named by its URL")
    func repository() throws {
        let result = try adopt([layer, "--into", package, "--watchlink", "https://example.org/team/WatchLink.git"])
        #expect(result.code == 0, "\(result)")
        let manifest = try text("Package.swift")
        #expect(manifest.contains(".package(url: \"https://example.org/team/WatchLink.git\", branch: \"main\")"))
    }

    @Test("Nothing is overwritten, and what cannot be adopted is refused with the cure")
    func refusals() throws {
        try FileManager.default.createDirectory(atPath: package, withIntermediateDirectories: true)
        let allowed = try adopt([layer, "--into", package, "--watchlink", Self.checkout])
        #expect(allowed.code == 0, "an empty folder: \(allowed)")
        let manifest = try text("Package.swift")
        let (new, file) = (bench.path + "/New", try bench.write("File", "let a = 1"))
        let empty = bench.path + "/Empty"
        try FileManager.default.createDirectory(atPath: empty, withIntermediateDirectories: true)
        for (words, part) in [
            ([layer, "--into", package], "the folder is not empty, and nothing is overwritten"),
            ([layer, "--into", layer + "/Linux"], "inside of the app's folder"),
            ([layer, "--into", file], "is a file, not a folder"),
            ([bench.path + "/Missing", "--into", new], "does not exist"),
            ([file, "--into", new], "is not a Swift file"),
            (
                [layer, "--leave-out", "Nowhere", "--into", new],
                "--leave-out Nowhere: no source of the named folders is there"
            ),
            (["--phone", layer, "--into", new], "adopt needs the folder"),
            ([empty, "--into", new], "contains no Swift file"),
            ([layer, "--into", new, "--watchlink", empty], "the folder does not contain the package WatchLink"),
        ] {
            let words = words.contains("--watchlink") ? words : words + ["--watchlink", Self.checkout]
            let result = try adopt(words)
            #expect(result.code != 0, "\(words)")
            #expect(result.errors.contains(part), "\(result)")
        }
        let unchanged = try text("Package.swift")
        #expect(unchanged == manifest)
        #expect(!FileManager.default.fileExists(atPath: new))
    }
}
