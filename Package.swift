// swift-tools-version: 6.2

import PackageDescription

/// Settings of every target: Swift 6 mode comes from the tools version; the rest keeps imports honest and warnings at zero.
let strict: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .treatAllWarnings(as: .error),
]

/// Settings of the modules that stand in for Apple's. Those are no Swift 6 modules, so that the compiler has the closures of a Swift 6
/// client check their actor when they are called: built in Swift 6 mode, these would run off their actor without a trap, and the program
/// would die on a device only. Everything is checked as in Swift 6 mode all the same.
let appleLike: [SwiftSetting] =
    strict + [
        .swiftLanguageMode(.v5), .enableUpcomingFeature("StrictConcurrency"),
        .enableUpcomingFeature("InferSendableFromCaptures"),
    ]

func module(
    _ name: String, _ dependencies: [Target.Dependency] = [], settings: [SwiftSetting] = strict
) -> Target {
    .target(name: name, dependencies: dependencies, swiftSettings: settings)
}

func program(_ name: String, _ dependencies: [Target.Dependency], path: String? = nil) -> Target {
    .executableTarget(name: name, dependencies: dependencies, path: path, swiftSettings: strict)
}

func tests(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
    .testTarget(name: name, dependencies: dependencies, swiftSettings: strict)
}

let package = Package(
    name: "WatchLink",
    products: [
        .library(name: "KeyedArchive", targets: ["KeyedArchive"]),
        .library(name: "WatchConnectivity", targets: ["WatchConnectivity"]),
        .library(name: "WatchLinkTesting", targets: ["WatchLinkTesting"]),
        .library(name: "WatchLinkSimulation", targets: ["WatchLinkSimulation"]),
        .library(name: "WatchKit", targets: ["WatchKit"]),
        .library(name: "LinkProtocol", targets: ["LinkProtocol"]),
        .library(name: "QuizSync", targets: ["QuizSync"]),
        .executable(name: "watchlink-host", targets: ["watchlink-host"]),
        .executable(name: "watchlink-companion", targets: ["watchlink-companion"]),
        .executable(name: "watchlink", targets: ["watchlink"]),
        .executable(name: "watchlink-simulate", targets: ["watchlink-simulate"]),
        .executable(name: "watchlink-torture", targets: ["watchlink-torture"]),
        .executable(name: "watchlink-scenario", targets: ["watchlink-scenario"]),
        .executable(name: "watchlink-explore", targets: ["watchlink-explore"]),
        .library(name: "VirtualTime", targets: ["VirtualTime"]),
        // For programs that are not linked with it: LD_PRELOAD.
        .library(name: "virtualtimepreload", type: .dynamic, targets: ["CVirtualTime"]),
    ],
    targets: [
        // The system's C libraries.
        .systemLibrary(
            name: "CSQLite", pkgConfig: "sqlite3",
            providers: [.apt(["libsqlite3-dev"]), .yum(["sqlite-devel"])]),
        .systemLibrary(
            name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"]), .yum(["zlib-devel"])]),
        .systemLibrary(name: "CLinux"),
        .systemLibrary(name: "CCrypt"),
        .systemLibrary(name: "CCoreFoundation"),
        // A file system for SQLite that fails on demand.
        .target(name: "CDisk", dependencies: ["CSQLite"]),
        // Lets signals wait until a service can handle them.
        .target(name: "CStartSignals"),
        // Counts allocations, for the benchmark.
        .target(name: "CAllocations"),

        // A process in virtual time: the functions of glibc by which a thread waits, wakes, reads a clock or draws entropy.
        .target(
            name: "CVirtualTime",
            cSettings: [.define("_GNU_SOURCE"), .enableWarning("extra"), .treatAllWarnings(as: .error)]),

        // Worlds of such processes, and what is done with them: explored, compared, made small. Nothing here knows of the product.
        module("VirtualTime", ["CVirtualTime"]),

        // The modules, in the order in which they may import each other.
        module("Words"),
        module("Locking", ["CLinux"]),
        module("KeyedArchive", ["CCoreFoundation", "Locking"]),
        module("CrashPoints", ["Locking"]),
        module("Metrics", ["Locking"]),
        module("EventLog", ["CrashPoints", "Locking", "Metrics"]),
        module("LinkProtocol", ["KeyedArchive", "Words"]),
        module("LinkTransport", ["CLinux", "CZlib", "EventLog", "LinkProtocol", "Locking", "Metrics"]),
        module(
            "Storage",
            ["CDisk", "CSQLite", "CrashPoints", "EventLog", "LinkProtocol", "LinkTransport", "Locking", "Metrics"]),
        .target(
            name: "ServiceRuntime",
            dependencies: ["CLinux", "EventLog", "LinkTransport", "Locking", "Metrics", "Words"],
            swiftSettings: strict,
            plugins: ["BuildInformation"]),
        module("WatchKit", ["Locking"], settings: appleLike),
        module(
            "WatchConnectivity",
            [
                "CCrypt", "CrashPoints", "EventLog", "KeyedArchive", "LinkProtocol", "LinkTransport", "Locking",
                "Metrics",
                "ServiceRuntime", "Storage", "WatchKit", "Words",
            ], settings: appleLike),
        module(
            "WatchLinkTesting",
            ["EventLog", "LinkProtocol", "LinkTransport", "Locking", "ServiceRuntime", "WatchConnectivity"]),
        module(
            "QuizSync",
            [
                "CrashPoints", "EventLog", "KeyedArchive", "LinkProtocol", "LinkTransport", "Locking", "Metrics",
                "Storage",
                "WatchConnectivity",
                "WatchKit",
            ]),
        module(
            "WatchLinkServices",
            [
                "EventLog", "KeyedArchive", "LinkProtocol", "LinkTransport", "Locking", "Metrics", "QuizSync",
                "ServiceRuntime", "Storage", "WatchConnectivity", "WatchKit", "Words",
            ]),
        // The same rules in a simulated world.
        module("Simulation", ["LinkProtocol", "QuizSync", "Storage", "WatchConnectivity"]),
        // The real services under trial: scenarios and torture.
        module(
            "Trials",
            [
                "CrashPoints", "EventLog", "LinkProtocol", "LinkTransport", "Locking", "QuizSync", "ServiceRuntime",
                "Storage",
                "WatchConnectivity", "Words",
            ]),
        // The words of `watchlink explore`, for it and for the program that it starts.
        module("ExploreWords", ["LinkProtocol", "ServiceRuntime", "Trials", "Words"]),
        // What happened, as a picture.
        module(
            "Timeline",
            ["EventLog", "LinkProtocol", "LinkTransport", "QuizSync", "WatchConnectivity", "WatchLinkServices"]),
        // What devices are to virtual time: what may befall them there, and pictures of what they did.
        module("DeviceWorlds", ["LinkProtocol", "ServiceRuntime", "Timeline", "VirtualTime"]),
        // Tests whose devices are processes in virtual time.
        .target(name: "CSimulationStart"),
        module(
            "WatchLinkSimulation", ["CSimulationStart", "DeviceWorlds", "LinkProtocol", "Locking", "VirtualTime"]),
        .plugin(name: "BuildInformation", capability: .buildTool(), path: "Sources/BuildInformation"),
        .plugin(name: "EmbeddedFiles", capability: .buildTool(), path: "Sources/EmbeddedFiles"),
        .plugin(name: "PreloadedLibrary", capability: .buildTool(), path: "Sources/PreloadedLibrary"),

        // The programs. `watchlink` names those that it starts, so that `swift run watchlink` builds them.
        program("watchlink-host", ["CStartSignals", "ServiceRuntime", "WatchLinkServices"]),
        program("watchlink-companion", ["CStartSignals", "ServiceRuntime", "WatchLinkServices"]),
        program("watchlink-torture", ["ServiceRuntime", "Trials", "watchlink-host", "watchlink-companion"]),
        program("watchlink-scenario", ["ServiceRuntime", "Trials"]),
        program("watchlink-simulate", ["LinkProtocol", "Locking", "ServiceRuntime", "Simulation"]),
        // The services, their torture and what plays scenarios run in it, too.
        .executableTarget(
            name: "watchlink-explore",
            dependencies: [
                "CLinux", "DeviceWorlds", "EventLog", "ExploreWords", "LinkProtocol", "Locking", "ServiceRuntime",
                "Trials", "VirtualTime", "Words", "watchlink-scenario", "watchlink-torture",
            ],
            swiftSettings: strict,
            plugins: ["PreloadedLibrary"]),
        program(
            "watchlink-bench",
            [
                "CAllocations", "CLinux", "CSQLite", "EventLog", "KeyedArchive", "LinkProtocol", "LinkTransport",
                "Locking",
                "QuizSync", "ServiceRuntime", "Storage", "Trials", "WatchConnectivity", "Words", "watchlink-host",
                "watchlink-companion",
            ]),
        .executableTarget(
            name: "watchlink",
            dependencies: [
                "EventLog", "ExploreWords", "KeyedArchive", "LinkProtocol", "LinkTransport", "Locking", "QuizSync",
                "ServiceRuntime", "Storage", "Timeline",
                "Trials", "WatchConnectivity", "WatchLinkServices", "Words", "watchlink-explore", "watchlink-host",
                "watchlink-companion",
            ],
            swiftSettings: strict,
            plugins: ["EmbeddedFiles"]),

        // Writes down what the tests' process makes durable, and in which order.
        .target(name: "CFileCalls", path: "Tests/CFileCalls"),
        .target(
            name: "TestSupport", dependencies: ["CFileCalls", "Locking", "ServiceRuntime"], path: "Tests/TestSupport",
            swiftSettings: strict),
        tests("WordsTests", ["EventLog", "LinkProtocol", "LinkTransport", "WatchLinkServices", "Words"]),
        tests("KeyedArchiveTests", ["KeyedArchive"]),
        // Random graphs of objects for the archive codec, in many processes.
        .executableTarget(
            name: "GraphFuzzer", dependencies: ["KeyedArchive"], path: "Tests/GraphFuzzing", swiftSettings: strict),
        tests("MetricsTests", ["Metrics"]),
        tests(
            "TimelineTests",
            [
                "EventLog", "LinkProtocol", "LinkTransport", "QuizSync", "Timeline", "WatchConnectivity",
                "WatchLinkServices",
            ]),
        tests("EventLogTests", ["EventLog", "Locking", "TestSupport"]),
        tests("LinkProtocolTests", ["KeyedArchive", "LinkProtocol", "Words"]),
        tests("LinkTransportTests", ["EventLog", "LinkProtocol", "LinkTransport", "TestSupport"]),
        tests("StorageTests", ["EventLog", "LinkProtocol", "Locking", "Storage", "TestSupport"]),
        tests(
            "WatchConnectivityTests",
            [
                "EventLog", "LinkProtocol", "LinkTransport", "Locking", "Metrics", "ServiceRuntime", "Storage",
                "TestSupport", "WatchConnectivity", "WatchKit",
            ]),
        // A client as Apple's developers write it, in the language mode that they use; the tests start it as two processes.
        .executableTarget(
            name: "DeviceProgram", dependencies: ["WatchConnectivity", "WatchKit"], path: "Tests/DeviceProgram",
            swiftSettings: [.swiftLanguageMode(.v5), .treatAllWarnings(as: .error)]),
        // A client in the Swift 6 language mode, whose closures belong to actors.
        program("IsolationProgram", ["WatchConnectivity"], path: "Tests/IsolationProgram"),
        tests(
            "WatchLinkTestingTests",
            [
                "LinkProtocol", "Locking", "TestSupport", "WatchConnectivity", "WatchLinkTesting", "DeviceProgram",
                "IsolationProgram",
            ]),
        tests(
            "QuizSyncTests",
            [
                "EventLog", "KeyedArchive", "LinkProtocol", "LinkTransport", "Locking", "QuizSync", "Storage",
                "TestSupport", "WatchConnectivity", "WatchKit",
            ]),
        tests("TrialsTests", ["LinkProtocol", "LinkTransport", "ServiceRuntime", "TestSupport", "Trials"]),
        tests(
            "WatchLinkSimulationTests", ["Locking", "VirtualTime", "WatchConnectivity", "WatchLinkSimulation"]),
        tests("SimulationTests", ["LinkProtocol", "Simulation"]),
        // Ways to wait, wake, read a clock or draw entropy; the tests start each in a world of its own.
        .target(
            name: "CProbe", dependencies: ["CVirtualTime"], path: "Tests/CProbe",
            cSettings: [.define("_GNU_SOURCE"), .enableWarning("extra"), .treatAllWarnings(as: .error)]),
        program("ProbeProgram", ["CProbe", "CVirtualTime"], path: "Tests/ProbeProgram"),
        // A phone that loses points if it is told to be careless, and its watch.
        .executableTarget(
            name: "QuizPair", dependencies: ["WatchConnectivity"], path: "Tests/QuizPair",
            swiftSettings: [.swiftLanguageMode(.v5), .treatAllWarnings(as: .error)]),
        // Many apps as people write them, each a phone's and a watch's: most with a flaw that exploring must find, some without.
        .executableTarget(
            name: "ClientPairs", dependencies: ["WatchConnectivity"], path: "Tests/ClientPairs",
            swiftSettings: [.swiftLanguageMode(.v5), .treatAllWarnings(as: .error)]),
        // How well exploring finds those flaws, and whether it finds any where there are none.
        program(
            "ClientTrial", ["ServiceRuntime", "ClientPairs", "watchlink-explore"],
            path: "Tests/ClientTrial"),
        // Worlds that end in every way, and a program that knows nothing of them.
        program("WorldsProgram", ["VirtualTime"], path: "Tests/WorldsProgram"),
        program("PlayerProgram", [], path: "Tests/PlayerProgram"),
        tests(
            "VirtualTimeTests",
            ["CProbe", "CVirtualTime", "VirtualTime", "PlayerProgram", "ProbeProgram", "WorldsProgram"]),
        // Two thousand connections at once, for a test of the host.
        program("FloodProgram", ["LinkTransport", "ServiceRuntime"], path: "Tests/FloodProgram"),
        tests(
            "ServiceRuntimeTests", ["EventLog", "LinkTransport", "Locking", "ServiceRuntime", "TestSupport"]),
        tests(
            "WatchLinkServicesTests",
            [
                "EventLog", "LinkProtocol", "LinkTransport", "ServiceRuntime", "Storage", "TestSupport",
                "WatchConnectivity",
                "WatchLinkServices",
            ]),
        tests(
            "IntegrationTests",
            [
                "KeyedArchive", "LinkProtocol", "LinkTransport", "Locking", "QuizSync", "ServiceRuntime", "TestSupport",
                "watchlink",
                "VirtualTime", "watchlink-explore", "QuizPair", "ClientPairs", "ClientTrial", "PlayerProgram",
                "ProbeProgram",
                "watchlink-torture", "FloodProgram", "DeviceProgram",
                "watchlink-host",
                "watchlink-companion",
            ]),
    ]
)
