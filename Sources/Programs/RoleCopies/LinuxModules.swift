/// The modules that an import finds on Linux without WatchLink's faces.
enum LinuxModules {
    /// Those of the toolchain, and those that every adopted target depends on.
    private static let names: Set = [
        "Swift", "Foundation", "FoundationEssentials", "FoundationInternationalization", "FoundationNetworking",
        "FoundationXML", "Dispatch", "Glibc", "Synchronization", "Observation", "RegexBuilder", "Distributed", "Cxx",
        "CxxStdlib", "CoreFoundation", "Builtin", "_Concurrency", "_StringProcessing", "_Differentiation",
        "WatchConnectivity",
    ]

    /// Those that every copy can import, so that `canImport` is true.
    static let certain: Set = [
        "Swift", "Foundation", "FoundationEssentials", "FoundationNetworking", "Dispatch", "Glibc", "Synchronization",
        "Observation", "WatchConnectivity",
    ]

    static func contains(_ module: String) -> Bool { names.contains(module) }
}
