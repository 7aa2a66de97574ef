import VirtualTime

/// The identity of a test, and the arguments by which a test bundle runs it alone.
enum TestIdentity: Hashable, Sendable, CustomStringConvertible {
    /// The identifier of a Swift Testing test, with its source location.
    case swiftTesting(String)
    /// The name of an XCTest method, as “Module.Class/method”.
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

    /// The text that ``init(_:)`` parses.
    var description: String {
        switch self {
        case .swiftTesting(let name): Self.swiftTestingMark + name
        case .xctest(let name): Self.xctestMark + name
        }
    }

    /// The name without the source location, which no filter uses.
    var name: String {
        switch self {
        case .swiftTesting(let name):
            name.split(separator: "/").last.map { $0.contains(".swift:") } == true
                ? name.split(separator: "/").dropLast().joined(separator: "/") : name
        case .xctest(let name): name
        }
    }

    /// The regular expression for `swift test --filter`.
    var filter: String {
        let escaped = name.map { "()[]{}.*+?^$|\\".contains($0) ? "\\\($0)" : String($0) }.joined()
        return "^\(escaped)" + (name == fullName ? "$" : "/")
    }

    private var fullName: String {
        switch self {
        case .swiftTesting(let name), .xctest(let name): name
        }
    }

    /// The arguments for the bundle itself.
    var arguments: [String] {
        switch self {
        case .swiftTesting: ["--testing-library", "swift-testing", "--filter", filter, "--no-parallel"]
        case .xctest(let name): [name]
        }
    }
}
