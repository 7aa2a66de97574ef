/// The condition of a directive, as far as a role decides it.
///
/// In a copy, `os(iOS)` or `os(watchOS)` holds, and `os` of every other system does not, Linux included: the code is that of
/// the device. What stands in `#if os(Linux)` only for the build on Linux is therefore missing in a copy, such as
/// `import FoundationNetworking` or a replacement for a function of Apple's C library; `#if canImport(…)` has the same
/// purpose and works in both builds, because the compiler decides it. Foundation re-exports Glibc, so most layers do not
/// notice.
indirect enum Condition: Equatable {
    case constant(Bool)
    /// A condition that only the compiler can decide, as it is written.
    case open(String)
    case not(Condition)
    case all(Condition, Condition)
    case any(Condition, Condition)

    /// The condition without its decided parts.
    var simplified: Condition {
        switch self {
        case .constant, .open: return self
        case .not(let inner):
            switch inner.simplified {
            case .constant(let value): return .constant(!value)
            case .not(let positive): return positive
            case let other: return .not(other)
            }
        case .all(let first, let second):
            switch (first.simplified, second.simplified) {
            case (.constant(false), _), (_, .constant(false)): return .constant(false)
            case (.constant(true), let rest), (let rest, .constant(true)): return rest
            case (let first, let second): return .all(first, second)
            }
        case .any(let first, let second):
            switch (first.simplified, second.simplified) {
            case (.constant(true), _), (_, .constant(true)): return .constant(true)
            case (.constant(false), let rest), (let rest, .constant(false)): return rest
            case (let first, let second): return .any(first, second)
            }
        }
    }

    /// The condition in Swift.
    var text: String {
        switch self {
        case .constant(let value): "\(value)"
        case .open(let text): text
        case .not(let inner): "!\(inner.operand)"
        case .all(let first, let second): "\(first.factor) && \(second.factor)"
        case .any(let first, let second): "\(first.text) || \(second.text)"
        }
    }

    private var factor: String { if case .any = self { "(\(text))" } else { text } }

    private var operand: String {
        switch self {
        case .all, .any: "(\(text))"
        case .constant, .open, .not: text
        }
    }
}
