import Foundation
import RoleCopies

/// The package with an app's phone and watch as two programs, and a test of both.
struct AdoptedPackage {
    let name: String
    let watchLink: PackageReference
    let app: AppSources
    let phone: LayerSurvey
    let watch: LayerSurvey

    init(name: String, watchLink: PackageReference, app: AppSources) throws(CommandError) {
        self.name = name
        self.watchLink = watchLink
        self.app = app
        phone = try app.survey(.phone)
        watch = try app.survey(.watch)
    }

    var surveys: [LayerSurvey] { [phone, watch] }

    static func program(_ role: CopyRole) -> String {
        switch role {
        case .phone: "Phone"
        case .watch: "Watch"
        }
    }

    /// Returns the text of each file by its path.
    func files(in package: URL) -> [String: String] {
        var files = [
            "Package.swift": manifest(in: package), ".gitignore": "/.build/\n", "Tests/PairTests/PairTests.swift": test,
        ]
        for survey in surveys {
            let folder = "Sources/\(Self.program(survey.settings.role))"
            files["\(folder)/main.swift"] = Self.main(survey)
            files["\(folder)/Exports.swift"] = Self.exports(survey)
            files["\(folder)/\(TargetSettings.fileName)"] = Self.settings(survey.settings)
        }
        return files
    }

    /// Returns the places that the symbolic links of a device lead to, by the links' paths.
    func links(of role: CopyRole) -> [String: URL] {
        let root = "Sources/\(Self.program(role))/\(TargetSettings.folderName)"
        let own = app.parts.filter { $0.roles.contains(role) }
        return Dictionary(own.map { ($0.place.isEmpty ? root : "\(root)/\($0.place)", $0.url) }) { first, _ in first }
    }

    private func manifest(in package: URL) -> String {
        """
        // swift-tools-version: 6.2

        import PackageDescription

        /// The app as one of its two devices: its sources are those below the link App, copied for the device at each build.
        func device(_ name: String, faces: [String]) -> Target {
            .executableTarget(
                name: name,
                // DeviceControl lets the tests control the device; no source imports it.
                dependencies: (["WatchConnectivity", "DeviceControl"] + faces).map {
                    .product(name: $0, package: \(SwiftLiteral.text(watchLink.name)))
                },
                exclude: ["\(TargetSettings.folderName)", "\(TargetSettings.fileName)"],
                // The language mode of the app; if that is 6, remove it.
                swiftSettings: [\(settings)],
                plugins: [.plugin(name: "RoleCopies", package: \(SwiftLiteral.text(watchLink.name)))])
        }

        let package = Package(
            name: \(SwiftLiteral.text(name)),
            dependencies: [\(watchLink.dependency(from: package))],
            targets: [
                device("Phone", faces: \(Self.faces(phone))),
                device("Watch", faces: \(Self.faces(watch))),
                .testTarget(
                    name: "PairTests",
                    dependencies: [
                        "Phone", "Watch",
                        .product(name: "WatchLinkTesting", package: \(SwiftLiteral.text(watchLink.name))),
                        .product(name: "WatchLinkSimulation", package: \(SwiftLiteral.text(watchLink.name))),
                    ]),
            ])

        """
    }

    private var settings: String {
        let mode = ".swiftLanguageMode(.v5)"
        guard surveys.contains(where: \.mixesImportLevels) else { return mode }
        return "\(mode), .enableUpcomingFeature(\"InternalImportsByDefault\")"
    }

    private static func faces(_ survey: LayerSurvey) -> [String] { survey.faces.map(\.rawValue).sorted() }

    private static func settings(_ settings: TargetSettings) -> String {
        func list(_ values: [String]?) -> String {
            "[" + (values ?? []).map(SwiftLiteral.text).joined(separator: ", ") + "]"
        }
        return """
            {
                // The device whose halves of #if os(…) are compiled: phone or watch.
                role: "\(settings.role.rawValue)",
                // The files and folders below App that are left out.
                leaveOut: \(list(settings.leaveOut)),
                // Files that import one of these modules are left out.
                leaveOutImporting: \(list(settings.leaveOutImporting)),
                // Modules of the app whose sources are here: importing them has no effect.
                ownModules: \(list(settings.ownModules)),
            }

            """
    }

    private static func exports(_ survey: LayerSurvey) -> String {
        var modules = ["FoundationGaps"]
        if survey.faces.contains(.combine) { modules.append("Combine") }
        if survey.usesNetworking { modules.append("FoundationNetworking") }
        let level = survey.mixesImportLevels ? "public " : ""
        return """
            // On Apple's platforms, all of this comes with Foundation. What one file of a target exports, its other files see.
            \(modules.map { "@_exported \(level)import \($0)" }.joined(separator: "\n"))

            /// Written at each change, and shared by the programs of this device only.
            public typealias UserDefaults = DeviceUserDefaults

            """
    }

    private static func main(_ survey: LayerSurvey) -> String {
        """
        import Foundation
        import WatchConnectivity

        // The connectivity layer as the \(survey.settings.role.rawValue): this does what the app does when it starts.
        // Programs start on the main actor, which the compiler does not know in the language mode 5.
        MainActor.assumeIsolated {
        \(start(survey))
        }

        """
    }

    private static func start(_ survey: LayerSurvey) -> String {
        if let delegate = survey.delegates.first, let expression = delegate.expression {
            let others = survey.delegates.dropFirst().map(\.name)
            let remark =
                others.isEmpty
                ? "" : "\n    // So do others, which the app may use instead: \(others.joined(separator: ", "))."
            guard let creator = delegate.creator else {
                return """
                        // \(delegate.name) conforms to WCSessionDelegate.\(remark)
                        let delegate = \(expression)
                        // What the layer does by itself is not done again.
                        if WCSession.default.delegate == nil { WCSession.default.delegate = delegate }
                        if WCSession.default.activationState != .activated { WCSession.default.activate() }
                        withExtendedLifetime(delegate) { RunLoop.main.run() }
                    """
            }
            return """
                    // \(creator) creates \(delegate.name), which conforms to WCSessionDelegate.\(remark)
                    let layer = \(expression)
                    // What the layer does by itself is not done again.
                    if WCSession.default.activationState != .activated { WCSession.default.activate() }
                    withExtendedLifetime(layer) { RunLoop.main.run() }
                """
        }
        let found = survey.delegates.map(\.name).joined(separator: ", ")
        let reason =
            found.isEmpty
            ? "No class that conforms to WCSessionDelegate was found"
            : "The initialisers of what conforms to WCSessionDelegate need arguments (\(found))"
        return """
                // \(reason). Bring the layer up here, as the app does, such as:
                //
                //     let delegate = SessionManager(store: Store())
                //     WCSession.default.delegate = delegate
                WCSession.default.activate()
                RunLoop.main.run()
            """
    }

    private var test: String {
        """
        import Testing
        import WatchLinkTesting

        @Suite("Phone and watch")
        struct PairTests {
            @Test("Both reach each other")
            func reachability() async throws {
                let pair = try ProcessPair(phone: "Phone", watch: "Watch")
                // Waits until both sessions are activated and each is reachable for the other.
                try await pair.start()
                for device in [pair.phone, pair.watch] {
                    let isReachable = device.lines.contains { $0.contains("reachable=true") }
                    #expect(isReachable)
                    try device.stop()
                }
            }
        }

        """
    }
}
