// swift-tools-version: 6.2

import PackageDescription

/// The settings of every target: imports are explicit, warnings are errors. Swift 6 mode comes from the tools version.
let strict: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .treatAllWarnings(as: .error),
]

/// The settings of the modules that replace Apple's. Apple's are not Swift 6 modules, so the compiler makes the closures
/// of a Swift 6 client check their actor when called. If these were built in Swift 6 mode, the closures would run off
/// their actor without a trap, and the program would crash only on a device. All checks of Swift 6 mode are still on.
let appleLike: [SwiftSetting] =
    strict + [
        .swiftLanguageMode(.v5), .enableUpcomingFeature("StrictConcurrency"),
        .enableUpcomingFeature("InferSendableFromCaptures"),
    ]

/// Optimization also in debug builds, for what runs in simulated hours: a test in virtual time is then more than twice as fast.
/// Assertions stay. To step through WatchLink itself, build with WATCHLINK_UNOPTIMIZED=1.
let optimizes = Context.environment["WATCHLINK_UNOPTIMIZED"] == nil
let optimized: [SwiftSetting] =
    optimizes
    ? [
        .unsafeFlags(
            // Without a number of threads, the compiler does not write the object files that a debug build expects.
            [
                "-O", "-whole-module-optimization", "-disable-batch-mode", "-num-threads", "2", "-assert-config",
                "Debug",
            ],
            .when(configuration: .debug))
    ] : []
let optimizedC: [CSetting] = optimizes ? [.unsafeFlags(["-O2"], .when(configuration: .debug))] : []

/// In debug builds each access to a variable is checked for another one in progress. All tests run so; in release builds these checks
/// cost a message a twelfth of its time.
let uncheckedAccess: [SwiftSetting] = [
    .unsafeFlags(["-enforce-exclusivity=unchecked"], .when(configuration: .release))
]

/// The bundles of tests to build, from WATCHLINK_TESTS, separated by commas; all without it. A build with a sanitizer is
/// shorter with only those that it runs.
let chosenTests = Context.environment["WATCHLINK_TESTS"]?.split(separator: ",")

/// The floors of `Sources`, the lowest first: a target imports from its own floor or below. Trials are level with
/// programs.
enum Floor: String {
    case ground = "Ground"
    case link = "Link"
    case device = "Device"
    case records = "Records"
    case quiz = "Quiz"
    case programs = "Programs"
    case trials = "Trials"
    case plugins = "Plugins"
    case faces = "Faces"

    func path(_ name: String) -> String { "Sources/\(rawValue)/\(name)" }

    /// The settings of a module through which messages and records pass; a device in a simulated hour runs most of them.
    var settings: [SwiftSetting] {
        switch self {
        case .ground, .link, .device: optimized + uncheckedAccess
        case .records: uncheckedAccess
        case .quiz, .programs, .trials, .plugins, .faces: []
        }
    }
}

func module(
    _ floor: Floor, _ name: String, _ dependencies: [Target.Dependency] = [], settings: [SwiftSetting] = strict,
    plugins: [Target.PluginUsage] = []
) -> Target {
    .target(
        name: name, dependencies: dependencies, path: floor.path(name), swiftSettings: settings + floor.settings,
        plugins: plugins)
}

func program(
    _ floor: Floor, _ name: String, _ dependencies: [Target.Dependency], resources: [Resource] = [],
    plugins: [Target.PluginUsage] = []
) -> Target {
    .executableTarget(
        name: name, dependencies: dependencies, path: floor.path(name), resources: resources, swiftSettings: strict,
        plugins: plugins)
}

/// Returns a dependency on a C library of the system that is compiled and linked only with the trait PostgreSQL.
func onlyWithPostgreSQL(_ name: String) -> Target.Dependency {
    .target(name: name, condition: .when(traits: ["PostgreSQL"]))
}

/// Returns a program that the tests start.
func testProgram(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
    .executableTarget(name: name, dependencies: dependencies, path: "Tests/\(name)", swiftSettings: strict)
}

func tests(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
    .testTarget(name: name, dependencies: dependencies, swiftSettings: strict)
}

let package = Package(
    name: "WatchLink",
    products: [
        .library(name: "KeyedArchive", targets: ["KeyedArchive"]),
        .library(name: "WatchConnectivity", targets: ["WatchConnectivity"]),
        .library(name: "DeviceControl", targets: ["DeviceControl"]),
        .library(name: "WatchLinkTesting", targets: ["WatchLinkTesting", "WatchLinkTestingTimeline"]),
        .library(name: "WatchLinkSimulation", targets: ["WatchLinkSimulation"]),
        .library(name: "WatchKit", targets: ["WatchKit"]),
        .library(name: "LinkProtocol", targets: ["LinkProtocol"]),
        .library(name: "QuizSync", targets: ["QuizSync"]),
        // Both services for an application of one's own.
        .library(name: "WatchLinkServices", targets: ["WatchLinkServices"]),
        // Checks of any store of records, for those who write or operate one.
        .library(name: "StoreConformance", targets: ["RecordStorage", "StoreConformance"]),
        .executable(name: "watchlink-host", targets: ["watchlink-host"]),
        .executable(name: "watchlink-companion", targets: ["watchlink-companion"]),
        .executable(name: "watchlink", targets: ["watchlink"]),
        .executable(name: "watchlink-simulate", targets: ["watchlink-simulate"]),
        .executable(name: "watchlink-torture", targets: ["watchlink-torture"]),
        .executable(name: "watchlink-scenario", targets: ["watchlink-scenario"]),
        .executable(name: "watchlink-explore", targets: ["watchlink-explore"]),
        .executable(name: "watchlink-certify", targets: ["watchlink-certify"]),
        .executable(name: "watchlink-player", targets: ["watchlink-player"]),
        // Makes copies of an app's sources for one of its devices.
        .plugin(name: "RoleCopies", targets: ["MakeRoleCopies"]),
        .library(name: "VirtualTime", targets: ["VirtualTime"]),
        // For LD_PRELOAD, in programs that are not linked with it.
        .library(name: "virtualtimepreload", type: .dynamic, targets: ["CVirtualTime"]),
        // Only for packages that adopt code for Apple's platforms: `canImport` is then true for all targets of the build.
        .library(name: "Combine", targets: ["Combine"]),
        .library(name: "os", targets: ["os"]),
        .library(name: "OSLog", targets: ["OSLog"]),
        .library(name: "UIKit", targets: ["UIKit", "_Testing_UIKit"]),
        .library(name: "ClockKit", targets: ["ClockKit"]),
        .library(name: "WidgetKit", targets: ["WidgetKit"]),
        .library(name: "FoundationGaps", targets: ["FoundationGaps"]),
    ],
    traits: [
        .trait(name: "PostgreSQL", description: "Hosts can store records in a PostgreSQL server; links libpq.")
    ],
    targets: [
        // Ground: general-purpose modules, independent of WatchLink's purpose.
        .systemLibrary(
            name: "CSQLite", path: Floor.ground.path("CSQLite"), pkgConfig: "sqlite3",
            providers: [.apt(["libsqlite3-dev"]), .yum(["sqlite-devel"])]),
        .systemLibrary(
            name: "CZlib", path: Floor.ground.path("CZlib"), pkgConfig: "zlib",
            providers: [.apt(["zlib1g-dev"]), .yum(["zlib-devel"])]),
        // Compiled and linked only with the trait PostgreSQL.
        .systemLibrary(
            name: "CPostgreSQL", path: Floor.ground.path("CPostgreSQL"), pkgConfig: "libpq",
            providers: [.apt(["libpq-dev"]), .yum(["libpq-devel"])]),
        .systemLibrary(name: "CLinux", path: Floor.ground.path("CLinux")),
        .systemLibrary(name: "CCoreFoundation", path: Floor.ground.path("CCoreFoundation")),
        // A file system for SQLite that fails on demand.
        .target(name: "CDisk", dependencies: ["CSQLite"], path: Floor.ground.path("CDisk")),
        module(.ground, "Words"),
        module(.ground, "Locking", ["CLinux"]),
        module(.ground, "KeyedArchive", ["CCoreFoundation", "Locking"]),
        module(.ground, "KeyValueObservation", ["Locking"], settings: appleLike),
        module(.ground, "CrashPoints", ["Locking"]),
        module(.ground, "Metrics", ["Locking"]),
        module(.ground, "EventLog", ["CrashPoints", "Locking", "Metrics"]),
        // The processor's instructions for SHA-256.
        .target(name: "CDigest", path: Floor.ground.path("CDigest"), cSettings: optimizedC),
        module(.ground, "Files", ["CDigest", "CZlib", "Locking"]),
        module(.ground, "Homes"),
        module(.ground, "Processes", ["CLinux", "Files", "Locking"]),
        module(.ground, "Configuration", ["Files", "Processes", "Words"]),
        // Recordings of what two parties exchange, without private words.
        module(.ground, "Cassettes", ["Configuration", "Files", "KeyedArchive"]),
        module(.ground, "Storage", ["CDisk", "CSQLite", "CrashPoints", "EventLog", "Files", "Locking", "Metrics"]),

        // Link: the protocol between two devices, and its transport.
        module(.link, "LinkProtocol", ["KeyedArchive", "Words"]),
        module(
            .link, "LinkTransport",
            ["CLinux", "EventLog", "Files", "LinkProtocol", "Locking", "Metrics", "Processes"]),

        // Device: one phone or watch, with Apple's API.
        // The weak reference to DeviceControl, resolved at run time.
        .systemLibrary(name: "CLinkedControl", path: Floor.device.path("CLinkedControl")),
        // Standard output in lines, where a tool reads it.
        .target(name: "CPrintedLines", path: Floor.device.path("CPrintedLines")),
        module(.device, "DeviceEngine", ["EventLog", "LinkProtocol"]),
        module(.device, "SessionStorage", ["CDisk", "DeviceEngine", "EventLog", "LinkProtocol", "Locking", "Storage"]),
        module(
            .device, "DeviceShell",
            [
                "CLinux", "CPrintedLines", "Configuration", "CrashPoints", "DeviceEngine", "EventLog", "Files", "Homes",
                "LinkProtocol", "LinkTransport", "Locking", "Metrics", "SessionStorage", "Storage", "Words",
            ]),
        module(.device, "WatchKit", ["Locking"], settings: appleLike),
        module(
            .device, "WatchConnectivity",
            [
                "CCoreFoundation", "CLinkedControl", "CLinux", "Configuration", "DeviceEngine", "DeviceShell",
                "EventLog", "Files", "KeyedArchive", "KeyValueObservation", "LinkProtocol", "LinkTransport",
                "Locking", "Metrics", "Processes", "SessionStorage", "Storage", "WatchKit", "Words",
            ], settings: appleLike),
        // The recorder of a device's events.
        module(
            .device, "CassetteRecording",
            ["Cassettes", "DeviceShell", "Files", "LinkProtocol", "LinkTransport", "Locking"]),
        // The comparison of a recorded and a replayed course of an app, and the part of its counterpart.
        module(.device, "CassetteReplay", ["Cassettes", "Configuration", "KeyedArchive", "LinkProtocol", "Words"]),
        // Control of a device by others than its app; only in programs whose target names it.
        .systemLibrary(name: "CCrypt", path: Floor.device.path("CCrypt")),
        module(
            .device, "ControlSocket",
            ["CLinux", "Configuration", "EventLog", "Files", "LinkTransport", "Words"]),
        module(
            .device, "DeviceControl",
            [
                "CCrypt", "CassetteRecording", "Configuration", "ControlSocket", "DeviceShell", "EventLog",
                "LinkProtocol", "LinkTransport", "Locking", "Metrics", "Storage", "WatchConnectivity",
            ]),
        module(
            .device, "WatchLinkTesting",
            [
                "CLinkedControl", "CassetteRecording", "Cassettes", "Configuration", "ControlSocket", "DeviceControl",
                "DeviceShell", "EventLog",
                "Homes", "LinkProtocol", "Locking", "Processes", "WatchConnectivity", "Words",
            ]),

        // Records: the durable store, whatever the payload is.
        module(.records, "RecordStorage", ["CSQLite", "EventLog", "Files", "Locking", "Storage"]),
        // What every application has: payloads that are durable on both devices, and delivered exactly once.
        module(
            .records, "RecordSync",
            [
                "Configuration", "CrashPoints", "EventLog", "Files", "KeyedArchive", "LinkProtocol", "LinkTransport",
                "Locking", "Metrics", "RecordStorage", "Storage", "WatchConnectivity", "WatchKit", "Words",
            ]),
        // A server that many hosts share: the rules without I/O, and their execution.
        module(.records, "PostgreSQLRules", ["Files", "RecordStorage"]),
        module(
            .records, "PostgreSQLStorage",
            [onlyWithPostgreSQL("CPostgreSQL"), "Files", "Locking", "PostgreSQLRules", "RecordStorage"]),
        module(.records, "StoreConformance", ["Files", "Locking", "RecordStorage"]),

        // Quiz: the first application.
        module(
            .quiz, "QuizSync",
            [
                "Configuration", "CrashPoints", "EventLog", "KeyedArchive", "LinkProtocol", "LinkTransport", "Metrics",
                "RecordStorage", "RecordSync", "Storage", "WatchConnectivity",
            ]),

        // Programs: the services and the command line, which depends on the programs it starts so that `swift run`
        // builds them.
        // Blocks signals until a service can handle them.
        .target(name: "CStartSignals", path: Floor.programs.path("CStartSignals")),
        module(
            .programs, "ServiceRuntime",
            ["CLinux", "Configuration", "EventLog", "Files", "LinkTransport", "Locking", "Processes", "Words"],
            plugins: ["BuildInformation"]),
        module(
            .programs, "Services",
            [
                "Configuration", "ControlSocket", "DeviceControl", "DeviceEngine", "DeviceShell", "EventLog",
                "LinkProtocol", "LinkTransport", "Locking", "Metrics", "PostgreSQLRules", "PostgreSQLStorage",
                "Processes",
                "QuizSync", "RecordStorage",
                "RecordSync", "ServiceRuntime", "Storage", "WatchConnectivity", "WatchKit", "Words",
            ]),
        // The services as a library: a package of one's own needs a type and two programs of one line.
        module(
            .programs, "WatchLinkServices", ["CStartSignals", "Processes", "RecordSync", "ServiceRuntime", "Services"]),
        // Pictures of logs, ledgers and cassettes.
        module(
            .programs, "Timeline",
            [
                "CassetteReplay", "Cassettes", "DeviceEngine", "DeviceShell", "EventLog", "LinkProtocol",
                "LinkTransport", "QuizSync", "WatchConnectivity", "Services",
            ]),
        // The command line of `watchlink explore`, shared with the program that it starts.
        module(.programs, "ExploreWords", ["Cassettes", "LinkProtocol", "ServiceRuntime", "Trials", "Words"]),
        // An app's sources as its phone or its watch has them.
        module(.programs, "RoleCopies"),
        program(.programs, "watchlink-copies", ["RoleCopies"]),
        program(.programs, "watchlink-host", ["CStartSignals", "Services"]),
        program(.programs, "watchlink-companion", ["CStartSignals", "Services"]),
        program(
            .programs, "watchlink",
            [
                "CassetteReplay", "Cassettes", "Configuration", "ControlSocket", "DeviceControl", "DeviceShell",
                "EventLog", "ExploreWords", "Files",
                "Homes", "KeyedArchive", "LinkProtocol", "LinkTransport", "Locking", "Processes", "QuizSync",
                "RecordStorage", "RecordSync", "RoleCopies", "ServiceRuntime", "SessionStorage", "Storage", "Timeline",
                "Trials",
                "watchlink-companion", "watchlink-explore", "watchlink-host", "Services", "WatchLinkTesting",
                "Words",
            ], plugins: ["EmbeddedFiles"]),

        // Trials: the same rules in a simulated world, scenarios and torture of the real services, and virtual time.
        module(
            .trials, "Simulation", ["DeviceEngine", "LinkProtocol", "QuizSync", "RecordStorage", "WatchConnectivity"]),
        module(
            .trials, "Trials",
            [
                "Configuration", "ControlSocket", "CrashPoints", "DeviceControl", "DeviceEngine", "DeviceShell",
                "EventLog", "Homes", "LinkProtocol", "LinkTransport", "Processes", "RecordSync", "ServiceRuntime",
                "SessionStorage", "Storage",
                "WatchConnectivity", "Words",
            ]),
        // A process in virtual time: the glibc functions to wait, wake, read a clock or draw entropy.
        .target(
            name: "CVirtualTime", path: Floor.trials.path("CVirtualTime"),
            cSettings: optimizedC + [.define("_GNU_SOURCE"), .enableWarning("extra"), .treatAllWarnings(as: .error)]),
        // Worlds of such processes: explored, compared, minimized. Independent of the product.
        module(.trials, "VirtualTime", ["CVirtualTime", "Homes"], settings: strict + optimized),
        // Devices in virtual time: their hazards, and pictures of their runs.
        module(.trials, "DeviceWorlds", ["DeviceShell", "LinkProtocol", "Processes", "Timeline", "VirtualTime"]),
        // Tests whose devices are processes in virtual time.
        .target(name: "CSimulationStart", path: Floor.trials.path("CSimulationStart")),
        module(
            .trials, "WatchLinkSimulation",
            ["CSimulationStart", "DeviceControl", "DeviceWorlds", "LinkProtocol", "Locking", "VirtualTime"],
            settings: strict + optimized),
        // The pictures of failed waits: part of the product WatchLinkTesting, above its floor as the timeline is.
        module(.trials, "WatchLinkTestingTimeline", ["LinkProtocol", "Processes", "Timeline", "WatchLinkTesting"]),
        program(
            .trials, "watchlink-torture",
            ["Configuration", "Processes", "ServiceRuntime", "Trials", "watchlink-host", "watchlink-companion"]),
        program(
            .trials, "watchlink-simulate",
            ["Configuration", "LinkProtocol", "Locking", "Processes", "ServiceRuntime", "Simulation"]),
        // PostgreSQL servers and poolers that trials start.
        module(.trials, "DatabaseServers", ["Locking", "Processes"]),
        program(
            .trials, "watchlink-certify",
            [
                "Configuration", "DatabaseServers", "Files", "Locking", "PostgreSQLRules", "PostgreSQLStorage",
                "Processes",
                "RecordStorage", "ServiceRuntime", "StoreConformance", "Trials", "watchlink-companion",
                "watchlink-host",
            ]),
        program(.trials, "watchlink-scenario", ["Configuration", "Processes", "ServiceRuntime", "Trials"]),
        // The counterpart of a replayed app.
        program(
            .trials, "watchlink-player",
            [
                "CassetteReplay", "Cassettes", "Configuration", "ControlSocket", "DeviceControl", "DeviceShell",
                "LinkProtocol", "Locking", "Processes", "ServiceRuntime", "Trials", "WatchConnectivity", "Words",
            ]),
        // It also runs the services, their torture and scenarios, and the counterparts of replays.
        program(
            .trials, "watchlink-explore",
            [
                "CLinux", "CassetteReplay", "Cassettes", "Configuration", "DeviceEngine", "DeviceShell",
                "DeviceWorlds", "EventLog", "ExploreWords", "Homes", "LinkProtocol", "Locking", "Processes",
                "ServiceRuntime", "Timeline", "Trials", "VirtualTime", "WatchConnectivity", "Words", "watchlink-player",
                "watchlink-scenario", "watchlink-torture",
            ], plugins: ["PreloadedLibrary"]),
        // Counts allocations, for the benchmark.
        .target(name: "CAllocations", path: Floor.trials.path("CAllocations")),
        // Clients of other projects' servers, for comparisons.
        .target(name: "CPeerClients", path: Floor.trials.path("CPeerClients")),
        program(
            .trials, "watchlink-bench",
            [
                "CAllocations", "CLinux", "CassetteRecording", "Cassettes", "Configuration", "CPeerClients",
                onlyWithPostgreSQL("CPostgreSQL"), "CSQLite", "ControlSocket", "DatabaseServers", "DeviceControl",
                "DeviceShell", "EventLog", "Files", "KeyedArchive", "LinkProtocol", "LinkTransport", "Locking",
                "PostgreSQLRules", "PostgreSQLStorage", "Processes", "QuizSync", "RecordStorage", "ServiceRuntime",
                "Trials", "WatchConnectivity", "Words", "watchlink", "watchlink-host", "watchlink-companion",
            ],
            resources: [
                .embedInCode("OtherServers/quiz.proto"), .embedInCode("OtherServers/protobuf-quiz.cc.txt"),
            ]),

        // Faces: modules of Apple's platforms that do not exist on Linux. No other module depends on them.
        module(.faces, "Combine", ["KeyValueObservation", "Locking"], settings: appleLike),
        // The submodules of `os`, such as `os.log`.
        .systemLibrary(name: "COSModules", path: Floor.faces.path("COSModules")),
        module(.faces, "os", ["COSModules", "EventLog", "Locking"], settings: appleLike),
        module(.faces, "OSLog", ["os"], settings: appleLike),
        module(.faces, "UIKit", ["Locking", "WatchKit"], settings: appleLike),
        // The compiler imports it into files that import both Testing and UIKit.
        module(.faces, "_Testing_UIKit", ["UIKit"], settings: appleLike),
        module(.faces, "ClockKit", ["Locking"], settings: appleLike),
        module(.faces, "WidgetKit", ["Locking"], settings: appleLike),
        module(
            .faces, "FoundationGaps", ["Files", "Homes", "KeyValueObservation", "Locking", "Words"],
            settings: appleLike),

        .plugin(name: "BuildInformation", capability: .buildTool(), path: Floor.plugins.path("BuildInformation")),
        .plugin(name: "EmbeddedFiles", capability: .buildTool(), path: Floor.plugins.path("EmbeddedFiles")),
        .plugin(
            name: "MakeRoleCopies", capability: .buildTool(), dependencies: ["watchlink-copies"],
            path: Floor.plugins.path("RoleCopies")),
        .plugin(name: "PreloadedLibrary", capability: .buildTool(), path: Floor.plugins.path("PreloadedLibrary")),

        // Records what the test process makes durable, and in which order.
        .target(name: "CFileCalls", path: "Tests/CFileCalls"),
        .target(
            name: "TestSupport", dependencies: ["CFileCalls", "Locking", "Processes"],
            path: "Tests/TestSupport",
            swiftSettings: strict),
        tests("WordsTests", ["EventLog", "LinkProtocol", "LinkTransport", "Services", "Words"]),
        tests("KeyedArchiveTests", ["KeyedArchive"]),
        tests("CassettesTests", ["Cassettes", "Files", "KeyedArchive", "Processes", "TestSupport"]),
        tests("CassetteReplayTests", ["CassetteReplay", "Cassettes", "Configuration", "KeyedArchive"]),
        // Random object graphs for the archive codec, in many processes.
        .executableTarget(
            name: "GraphFuzzer", dependencies: ["KeyedArchive"], path: "Tests/GraphFuzzing", swiftSettings: strict),
        tests("MetricsTests", ["Metrics"]),
        tests(
            "TimelineTests",
            [
                "CassetteReplay", "Cassettes", "DeviceEngine", "DeviceShell", "EventLog", "LinkProtocol",
                "LinkTransport", "QuizSync", "Timeline",
                "WatchConnectivity", "Services",
            ]),
        tests("EventLogTests", ["EventLog", "Locking", "TestSupport"]),
        tests("LinkProtocolTests", ["KeyedArchive", "LinkProtocol", "Words"]),
        tests(
            "LinkTransportTests", ["EventLog", "Files", "LinkProtocol", "LinkTransport", "Processes", "TestSupport"]),
        tests(
            "StorageTests",
            [
                "DeviceEngine", "EventLog", "LinkProtocol", "Locking", "QuizSync", "RecordStorage", "SessionStorage",
                "Storage", "TestSupport",
            ]),
        tests(
            "PostgreSQLTests",
            [
                "Files", "Locking", "PostgreSQLRules", "PostgreSQLStorage", "Processes", "RecordStorage",
                "StoreConformance",
            ]),
        tests("DeviceEngineTests", ["DeviceEngine", "EventLog", "LinkProtocol"]),
        tests(
            "WatchConnectivityTests",
            [
                "Configuration", "DeviceControl", "DeviceEngine", "DeviceShell", "EventLog", "KeyValueObservation",
                "LinkProtocol", "LinkTransport", "Locking", "Metrics", "SessionStorage", "Storage", "TestSupport",
                "WatchConnectivity", "WatchKit",
            ]),
        tests(
            "DeviceControlTests", ["Configuration", "ControlSocket", "DeviceControl", "LinkProtocol", "Words"]),
        // A client as written for Apple's platforms, in its usual language mode; the tests start it as two processes.
        .executableTarget(
            name: "DeviceProgram", dependencies: ["DeviceControl", "WatchConnectivity", "WatchKit"],
            path: "Tests/DeviceProgram",
            swiftSettings: [.swiftLanguageMode(.v5), .treatAllWarnings(as: .error)]),
        // An app that uses only Apple's API: it is not linked with the control server.
        .executableTarget(
            name: "PlainProgram", dependencies: ["WatchConnectivity"], path: "Tests/PlainProgram",
            swiftSettings: [.swiftLanguageMode(.v5), .treatAllWarnings(as: .error)]),
        // A client in the Swift 6 language mode, whose closures are isolated to actors.
        testProgram("IsolationProgram", ["DeviceControl", "WatchConnectivity"]),
        // The ways in which apps trap on devices, and their repaired forms, for the check that must find them.
        testProgram("TrapProgram", ["WatchConnectivity"]),
        .executableTarget(
            name: "MainActorProgram", dependencies: ["WatchConnectivity"], path: "Tests/MainActorProgram",
            swiftSettings: strict + [.defaultIsolation(MainActor.self)]),
        tests(
            "WatchLinkTestingTests",
            [
                "CassetteRecording", "Cassettes", "DeviceShell", "KeyedArchive", "Locking", "Processes", "TestSupport",
                "WatchLinkTesting",
                "WatchLinkTestingTimeline",
                "DeviceProgram",
                "IsolationProgram", "PlainProgram",
            ]),
        tests(
            "QuizSyncTests",
            [
                "EventLog", "Files", "KeyedArchive", "LinkProtocol", "Locking", "QuizSync", "RecordStorage",
                "RecordSync",
                "Storage",
                "TestSupport", "WatchConnectivity", "WatchKit",
            ]),
        tests(
            "RecordSyncTests",
            [
                "CrashPoints", "EventLog", "KeyedArchive", "LinkProtocol", "RecordStorage", "RecordSync", "TestSupport",
                "WatchConnectivity",
            ]),
        tests(
            "TrialsTests",
            [
                "Configuration", "ControlSocket", "Files", "LinkProtocol", "LinkTransport", "ServiceRuntime",
                "TestSupport", "Trials",
            ]),
        tests(
            "WatchLinkSimulationTests",
            [
                "EventLog", "Files", "LinkProtocol", "LinkTransport", "Locking", "VirtualTime", "WatchConnectivity",
                "WatchLinkSimulation",
            ]),
        tests("SimulationTests", ["LinkProtocol", "Simulation"]),
        tests("RoleCopiesTests", ["RoleCopies"]),
        // Ways to wait, wake, read a clock or draw entropy; the tests start each in a separate world.
        .target(
            name: "CProbe", dependencies: ["CVirtualTime"], path: "Tests/CProbe",
            cSettings: [.define("_GNU_SOURCE"), .enableWarning("extra"), .treatAllWarnings(as: .error)]),
        testProgram("ProbeProgram", ["CProbe", "CVirtualTime"]),
        // A phone that loses points with an option, and its watch.
        // Two pairs of apps with changes on demand, for replays.
        .executableTarget(
            name: "ReplayPair", dependencies: ["DeviceControl", "KeyedArchive", "LinkProtocol", "WatchConnectivity"],
            path: "Tests/ReplayPair", swiftSettings: strict),
        // A phone's and a watch's app that observe every documented behaviour; all but `Linux` also compiles in Xcode.
        .executableTarget(
            name: "FidelityProbe", dependencies: ["DeviceControl", "UIKit", "WatchConnectivity", "WatchKit"],
            path: "Tests/FidelityProbe", exclude: ["Apple", "README.md", "expected.json5", "probe.json5", "recorded"],
            swiftSettings: [.swiftLanguageMode(.v5), .treatAllWarnings(as: .error)]),
        .executableTarget(
            name: "QuizPair", dependencies: ["DeviceControl", "WatchConnectivity"], path: "Tests/QuizPair",
            swiftSettings: [.swiftLanguageMode(.v5), .treatAllWarnings(as: .error)]),
        // Pairs of typical phone and watch apps: most with a flaw that exploring must find, some without.
        .executableTarget(
            name: "ClientPairs", dependencies: ["WatchConnectivity"], path: "Tests/ClientPairs",
            swiftSettings: [.swiftLanguageMode(.v5), .treatAllWarnings(as: .error)]),
        // Measures how reliably exploring finds those flaws, and that it finds none in the correct pairs.
        testProgram(
            "ClientTrial", ["ClientPairs", "Processes", "ServiceRuntime", "watchlink-explore"]),
        // Worlds with every kind of ending, and a program that does not know of them.
        testProgram("WorldsProgram", ["VirtualTime"]),
        testProgram("PlayerProgram", []),
        tests(
            "VirtualTimeTests",
            ["CProbe", "CVirtualTime", "Locking", "VirtualTime", "PlayerProgram", "ProbeProgram", "WorldsProgram"]),
        // The services of two applications: workouts beside quizzes.
        testProgram("Workouts", ["QuizSync", "WatchLinkServices"]),
        // Opens two thousand connections, for a test of the host.
        testProgram("FloodProgram", ["Files", "LinkTransport", "ServiceRuntime"]),
        tests(
            "ServiceRuntimeTests",
            [
                "Configuration", "ControlSocket", "EventLog", "Files", "LinkProtocol", "LinkTransport", "Locking",
                "Processes", "ServiceRuntime", "TestSupport", "Words",
            ]),
        tests(
            "ServicesTests",
            [
                "Configuration", "ControlSocket", "EventLog", "LinkProtocol", "QuizSync", "RecordStorage", "RecordSync",
                "ServiceRuntime", "TestSupport", "WatchConnectivity", "Services",
            ]),
        tests(
            "IntegrationTests",
            [
                "Cassettes", "ClientPairs", "ClientTrial", "Configuration", "ControlSocket", "DeviceWorlds",
                "FidelityProbe",
                "Files", "Homes",
                "KeyedArchive", "LinkProtocol",
                "LinkTransport", "Locking", "Processes", "QuizPair", "QuizSync", "RecordStorage", "ReplayPair",
                "ServiceRuntime", "TestSupport",
                "VirtualTime", "Words", "DeviceProgram", "FloodProgram", "PlainProgram", "PlayerProgram",
                "MainActorProgram", "ProbeProgram", "TrapProgram", "watchlink", "watchlink-certify", "Workouts",
                "watchlink-companion", "watchlink-explore", "watchlink-host", "watchlink-torture",
            ]),
        tests("CombineTests", ["Combine", "KeyValueObservation", "Locking", "WatchConnectivity"]),
        tests("OSLogTests", ["Locking", "OSLog", "os"]),
        tests("FoundationGapsTests", ["FoundationGaps", "KeyValueObservation", "Locking", "Processes", "TestSupport"]),
        tests("FacesTests", ["ClockKit", "TestSupport", "UIKit", "WatchKit", "WidgetKit", "_Testing_UIKit"]),
    ]
)

if let chosenTests {
    package.targets.removeAll { $0.type == .test && !chosenTests.contains(Substring($0.name)) }
}
