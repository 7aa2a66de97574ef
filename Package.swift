// swift-tools-version: 6.2

import PackageDescription

/// Settings of every target: Swift 6 mode comes from the tools version; the rest keeps imports honest and warnings at zero.
let strict: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .treatAllWarnings(as: .error),
]

func module(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
    .target(name: name, dependencies: dependencies, swiftSettings: strict)
}

func program(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
    .executableTarget(name: name, dependencies: dependencies, swiftSettings: strict)
}

func tests(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
    .testTarget(name: name, dependencies: dependencies, swiftSettings: strict)
}

let package = Package(
    name: "WatchLink",
    products: [
        .library(name: "KeyedArchive", targets: ["KeyedArchive"]),
        .library(name: "WatchConnectivity", targets: ["WatchConnectivity"]),
        .library(name: "QuizSync", targets: ["QuizSync"]),
        .executable(name: "watchlink-host", targets: ["watchlink-host"]),
        .executable(name: "watchlink-companion", targets: ["watchlink-companion"]),
        .executable(name: "watchlink", targets: ["watchlink"]),
    ],
    targets: [
        // The system's C libraries.
        .systemLibrary(
            name: "CSQLite", pkgConfig: "sqlite3",
            providers: [.apt(["libsqlite3-dev"]), .yum(["sqlite-devel"])]),
        .systemLibrary(name: "CLinux"),

        // The modules, in the order in which they may import each other.
        module("KeyedArchive"),
        module("EventLog"),
        module("LinkProtocol", ["KeyedArchive"]),
        module("LinkTransport", ["CLinux", "EventLog", "LinkProtocol"]),
        module("Storage", ["CSQLite"]),
        module("WatchConnectivity", ["EventLog", "KeyedArchive", "LinkProtocol", "LinkTransport"]),
        module("QuizSync", ["EventLog", "KeyedArchive", "LinkProtocol", "Storage", "WatchConnectivity"]),
        .target(
            name: "ServiceRuntime", dependencies: ["CLinux", "EventLog", "LinkTransport"], swiftSettings: strict,
            plugins: ["BuildInformation"]),
        module(
            "WatchLinkServices",
            [
                "EventLog", "KeyedArchive", "LinkProtocol", "LinkTransport", "QuizSync", "ServiceRuntime", "Storage",
                "WatchConnectivity",
            ]),
        .plugin(name: "BuildInformation", capability: .buildTool(), path: "Sources/BuildInformation"),

        // The programs. `watchlink` names the services so that `swift run watchlink demo` builds what the demo starts.
        program("watchlink-host", ["ServiceRuntime", "WatchLinkServices"]),
        program("watchlink-companion", ["ServiceRuntime", "WatchLinkServices"]),
        program(
            "watchlink",
            [
                "EventLog", "KeyedArchive", "QuizSync", "ServiceRuntime", "WatchLinkServices", "watchlink-host",
                "watchlink-companion",
            ]),

        tests("KeyedArchiveTests", ["KeyedArchive"]),
        tests("EventLogTests", ["EventLog"]),
        tests("LinkProtocolTests", ["KeyedArchive", "LinkProtocol"]),
        tests("LinkTransportTests", ["EventLog", "LinkProtocol", "LinkTransport"]),
        tests("StorageTests", ["Storage"]),
        tests("WatchConnectivityTests", ["EventLog", "LinkProtocol", "LinkTransport", "WatchConnectivity"]),
        tests(
            "QuizSyncTests",
            ["EventLog", "KeyedArchive", "LinkProtocol", "LinkTransport", "QuizSync", "Storage", "WatchConnectivity"]),
        tests("ServiceRuntimeTests", ["EventLog", "LinkTransport", "ServiceRuntime"]),
        tests(
            "WatchLinkServicesTests",
            ["LinkProtocol", "LinkTransport", "ServiceRuntime", "WatchConnectivity", "WatchLinkServices"]),
        tests(
            "IntegrationTests",
            [
                "KeyedArchive", "LinkProtocol", "LinkTransport", "QuizSync", "ServiceRuntime", "Storage", "watchlink",
                "watchlink-host", "watchlink-companion",
            ]),
    ]
)
