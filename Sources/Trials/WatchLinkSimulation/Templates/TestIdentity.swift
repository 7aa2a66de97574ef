import VirtualTime

/// Which test it is, and how a test bundle is started to run it alone.
enum TestIdentity: Hashable, Sendable, CustomStringConvertible {
    /// By the identifier of the test, with its source location.
    case swiftTesting(String)
    /// By “Module.Class/method”.
    case xctest(String)

    private static let (swiftTestingMark, xctestMark) = ("swift-testing ", "xctest ")

    init?(_ text: String) {
        if text.hasPrefix(Self.swiftTestingMark) {
            self = .swiftTesting(String(text.dropFirst(Self.swiftTestingMark.count)))
        } else if text.hasPrefix(Self.xctestMark) {
            self = .xctest(String(text.dropFirst(Self.xctestMark.count)))
        } else {
            return nil
        }
    }

    /// What ``init(_:)`` reads.
    var description: String {
        switch self {
        case .swiftTesting(let name): Self.swiftTestingMark + name
        case .xctest(let name): Self.xctestMark + name
        }
    }

    /// The name without the place in the source, which no filter needs.
    var name: String {
        switch self {
        case .swiftTesting(let name):
            name.split(separator: "/").last.map { $0.contains(".swift:") } == true
                ? name.split(separator: "/").dropLast().joined(separator: "/") : name
        case .xctest(let name): name
        }
    }

    /// What `swift test --filter` takes.
    var filter: String {
        let escaped = name.map { "()[]{}.*+?^$|\\".contains($0) ? "\\\($0)" : String($0) }.joined()
        return "^\(escaped)" + (name == fullName ? "$" : "/")
    }

    private var fullName: String {
        switch self {
        case .swiftTesting(let name), .xctest(let name): name
        }
    }

    /// The words for the bundle itself.
    var arguments: [String] {
        switch self {
        case .swiftTesting: ["--testing-library", "swift-testing", "--filter", filter, "--no-parallel"]
        case .xctest(let name): [name]
        }
    }
}
