import Foundation
import LinkProtocol

/// The fault rules of a device, as a tester would count what they hit: only incoming packages, which can be seen from
/// outside before a rule applies.
struct ArmedRules {
    private struct Armed {
        let rule: FaultRule
        var seen = 0
        var hits = 0
    }

    /// A package that waits for the end of its delay.
    struct Delayed {
        /// The connection it belongs to.
        let connection: Int
        let due: MonotonicTime
    }

    private var rules: [Armed] = []
    /// The rule that must hit the package being received.
    var expected: FaultRule?
    /// The rule that has hit it.
    var hit: FaultRule?
    /// The outgoing packages that wait, each with its copies, and the latest of each target.
    var delayed: [UUID: [Delayed]] = [:]
    var latest: [FaultTarget: MonotonicTime] = [:]
    /// The end of the latest delay.
    var ended: MonotonicTime?
    /// The connections on which packages wait.
    var delaying: Set<Int> = []
    /// The targets of which packages are held until the faults are over.
    var held: Set<FaultTarget> = []

    var isEmpty: Bool { rules.isEmpty }

    mutating func add(_ rule: FaultRule) { rules.append(Armed(rule: rule)) }

    mutating func clear() { self = ArmedRules() }

    /// Counts an incoming package, and decides which rule must hit it.
    mutating func receives(_ package: MessagePackage) {
        (expected, hit) = (nil, nil)
        guard let target = Self.target(of: package) else { return }
        for place in rules.indices {
            let (rule, selection) = (rules[place].rule, rules[place].rule.selection)
            guard rule.direction == .incoming, rule.target == target else { continue }
            rules[place].seen += 1
            // Chance decides, here and for the rules after it.
            guard selection.probability == 1 else { return }
            guard expected == nil, selection.nth ?? rules[place].seen == rules[place].seen,
                rules[place].hits < selection.limit ?? Int.max
            else { continue }
            rules[place].hits += 1
            expected = rule
        }
    }

    /// Returns true if a rule may hit a package.
    static func names(_ rule: FaultRule, _ package: MessagePackage, _ direction: FaultRule.Direction) -> Bool {
        rule.direction == direction && rule.target == target(of: package)
    }

    static func target(of package: MessagePackage) -> FaultTarget? {
        let isAnswer = package.answers != nil
        switch package.command {
        case .sendMessage, .sendMessageData: return isAnswer ? .reply : .message
        case .updateApplicationContext: return isAnswer ? .acknowledgement : .context
        case .transferUserInfo, .transferCurrentComplicationUserInfo: return isAnswer ? .acknowledgement : .userInfo
        case .transferFile: return isAnswer ? .acknowledgement : .file
        case .fileChunk, .fileProgress, .cancel: return .file
        case .state: return .state
        case .hello, .heartbeat, .goodbye, .unrecognized: return nil
        }
    }
}
