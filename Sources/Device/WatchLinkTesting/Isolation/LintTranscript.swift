import Foundation
import WatchConnectivity

/// The outcome of one run under lint, read from the lines that the program and its runtime wrote.
struct LintTranscript: Sendable {
    private(set) var observations: [LintObservation] = []
    /// The methods and handlers that returned.
    private(set) var returned: [String] = []
    /// The call in which the program ended.
    private(set) var fatalCall: String?
    private(set) var isActivated = false
    private(set) var isFinished = false
    /// The reason for the end of a complete run.
    private(set) var reason: String?

    private static let misuse = "SWIFT TASK CONTINUATION MISUSE: "
    private static let leak = " leaked its continuation"
    private static let twice = " tried to resume its continuation more than once"
    private static let assumption = "Incorrect actor executor assumption"
    private static let fatal = "Fatal error: "

    init(lines: [String]) {
        var call: String?
        var words: String?
        for line in lines {
            guard let report = LintReport(line: line) else {
                if let function = Self.function(in: line, before: Self.leak) {
                    observations.append(
                        LintObservation(kind: .finding(.neverResumed), subject: call, detail: function))
                }
                if line.contains(Self.fatal) || line.contains(Self.assumption) { words = line }
                continue
            }
            switch report.event {
            case .activated: isActivated = true
            case .linked: break
            case .began: call = report.subject
            case .returned:
                call = nil
                if report.detail == nil, let subject = report.subject { returned.append(subject) }
            case .isolation: add(.finding(.isolatedCode), report)
            case .conformance: add(.finding(.isolatedConformance), report)
            case .blocked:
                add(.finding(.blocked), report)
                isFinished = true
                fatalCall = report.subject
            case .hint: add(.hint, report)
            case .finished:
                isFinished = true
                reason = report.detail
            case .trap:
                observations.append(Self.trap(report, words, in: call))
                fatalCall = call
            }
        }
    }

    private mutating func add(_ kind: LintObservation.Kind, _ report: LintReport) {
        observations.append(
            LintObservation(
                kind: kind, subject: report.subject, detail: report.detail, stack: report.stack,
                mainStack: report.mainStack))
    }

    /// Classifies the signal that ended a program, by the runtime's last words and the place of the trap.
    private static func trap(_ report: LintReport, _ words: String?, in call: String?) -> LintObservation {
        var trap = LintObservation(
            kind: .crash, subject: call, detail: words ?? report.detail, stack: report.stack?.beforeSignal)
        if let words, let function = function(in: words, before: twice) {
            trap.kind = .finding(.resumedTwice)
            trap.detail = function
        } else if words?.contains(assumption) == true {
            trap.kind = .finding(.isolatedCode)
            trap.detail = "an actor"
        } else if words == nil, trap.stack?.isInDispatch == true {
            trap.kind = .finding(.wrongQueue)
        }
        return trap
    }

    private static func function(in line: String, before end: String) -> String? {
        guard let start = line.range(of: misuse), let end = line.range(of: end),
            start.upperBound <= end.lowerBound
        else { return nil }
        return String(line[start.upperBound..<end.lowerBound])
    }
}

extension CallStack {
    /// The stack without the handler of the signal, which the C library calls.
    fileprivate var beforeSignal: CallStack {
        guard let handler = calls.firstIndex(where: { images[$0.image].contains("/libc.so") }) else { return self }
        return CallStack(images: images, calls: Array(calls[(handler + 1)...]))
    }

    fileprivate var isInDispatch: Bool { calls.first.map { images[$0.image].contains("/libdispatch.so") } ?? false }
}
