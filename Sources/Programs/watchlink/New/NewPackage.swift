import Foundation

/// A package with an application: a payload, both services, their configuration and units, a test and a README.
struct NewPackage {
    let name: ApplicationName
    let watchLink: PackageReference

    /// Returns the text of each file by its path.
    func files(in folder: URL) -> [String: String] {
        let files = [
            "Package.swift": manifest(in: folder),
            ".gitignore": "/.build/\n/.state/\n",
            "README.md": readme,
            "example.json": example,
            "Sources/\(name.module)/\(name.type).swift": payload,
            "Sources/\(name.host)/main.swift": main("host"),
            "Sources/\(name.companion)/main.swift": main("companion"),
            "Tests/\(name.type)Tests/\(name.type)Tests.swift": validationTest,
            "Tests/\(name.type)Tests/ServiceTests.swift": serviceTest,
        ]
        return files.merging(operatingFiles) { first, _ in first }
    }

    private func manifest(in folder: URL) -> String {
        let package = SwiftLiteral.text(watchLink.name)
        return """
            // swift-tools-version: 6.2

            import PackageDescription

            let services: Target.Dependency = .product(name: "WatchLinkServices", package: \(package))

            let package = Package(
                name: "\(name.type)",
                dependencies: [\(watchLink.dependency(from: folder))],
                targets: [
                    // The payload is a module of its own, so that tests and other programs can use it.
                    .target(name: "\(name.module)", dependencies: [services]),
                    .executableTarget(name: "\(name.host)", dependencies: ["\(name.module)", services]),
                    .executableTarget(name: "\(name.companion)", dependencies: ["\(name.module)", services]),
                    .testTarget(
                        name: "\(name.type)Tests",
                        dependencies: [
                            "\(name.module)", "\(name.host)", "\(name.companion)",
                            .product(name: "WatchLinkTesting", package: \(package)),
                            // The command line, which the tests run.
                            .product(name: "watchlink", package: \(package)),
                        ]),
                ])

            """
    }
}
