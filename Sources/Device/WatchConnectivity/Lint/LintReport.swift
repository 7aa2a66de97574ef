import Foundation

/// An observation in a program that `watchlink lint` runs: one line on its standard error.
package struct LintReport: Codable, Equatable, Sendable {
    package enum Event: String, Codable, Sendable {
        /// The session is activated.
        case activated
        /// The counterpart is reachable.
        case linked
        /// The application's code is called, and returned.
        case began, returned
        /// Code isolated to an actor runs elsewhere: it ends the program on a device.
        case isolation
        /// The delegate's conformance is isolated to an actor.
        case conformance
        /// A signal ends the program.
        case trap
        /// A call of the application's code does not return.
        case blocked
        /// A hint of the session.
        case hint
        /// The run is complete.
        case finished
    }

    package var event: Event
    /// The called method or handler.
    package var subject: String?
    /// The actor, the signal, the delegate's class, the hint or the reason.
    package var detail: String?
    package var stack: CallStack?
    /// The calls of the main thread, if a call does not return.
    package var mainStack: CallStack?

    package init(
        _ event: Event, subject: String? = nil, detail: String? = nil, stack: CallStack? = nil,
        mainStack: CallStack? = nil
    ) {
        self.event = event
        self.subject = subject
        self.detail = detail
        self.stack = stack
        self.mainStack = mainStack
    }

    /// The mark of such lines. An application's unfinished line may precede it.
    private static let mark = "@watchlink-lint "

    /// Reads a line of the program's output; nil if it is not a report.
    package init?(line: String) {
        guard let range = line.range(of: Self.mark) else { return nil }
        do {
            self = try JSONDecoder().decode(LintReport.self, from: Data(line[range.upperBound...].utf8))
        } catch {
            // The application's own text.
            return nil
        }
    }

    package var line: String {
        get throws { Self.mark + String(decoding: try JSONEncoder().encode(self), as: UTF8.self) + "\n" }
    }
}
