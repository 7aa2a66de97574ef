/// A kind of content: what is sent, and by which side.
package struct LintKind: Hashable, Comparable, Sendable, CustomStringConvertible {
    package enum Content: String, CaseIterable, Sendable {
        case message
        case data = "message data"
        case reply
        case dataReply = "data reply"
        case context
        case userInfo = "user info"
        case file = "file metadata"

        init(_ channel: Channel) {
            self =
                switch channel {
                case .message: .message
                case .data: .data
                case .context: .context
                // A complication's arrives as any other.
                case .userInfo, .complication: .userInfo
                case .file: .file
                }
        }
    }

    /// `phone` or `watch`: all watches run one app.
    package let sender: String
    package let content: Content

    package init(sender: String, _ content: Content) { (self.sender, self.content) = (sender, content) }

    /// Creates the kind of content that an app is given with an event; nil for another event.
    init?(given event: AppEvent, _ tape: AppTape) {
        let content: Content
        switch event.role {
        case .delivery(let channel, _): content = Content(channel)
        case .outcome where event.kind == "replyHandler":
            content = tape.call(of: event.package)?.role == .call(.data) ? .dataReply : .reply
        case .outcome, .call, .answer, .droppedAnswer, .cancel, .activation, .refusal, .notice, .link, .action, .fault:
            return nil
        }
        self.init(sender: AppTape.counterpart(of: tape.side), content)
    }

    package var description: String { "\(sender) \(content.rawValue)" }

    package static func < (first: LintKind, second: LintKind) -> Bool { first.description < second.description }

    /// Returns the app's side for a device.
    static func side(_ device: String) -> String { device == "phone" ? "phone" : "watch" }
}
