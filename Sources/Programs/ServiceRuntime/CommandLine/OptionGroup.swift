/// Options that stand together in a help text and a manual page.
public struct OptionGroup: Sendable {
    /// The heading, such as “Options of explore replay”.
    public let title: String
    /// The options, in the order in which they are shown.
    public let options: [OptionDefinition]

    /// Creates a group.
    public init(_ title: String, _ options: [OptionDefinition]) {
        self.title = title
        self.options = options
    }

    /// The group formatted as lines of a help text.
    public var help: String { "\(title):\n\(OptionParser(options).help)" }
}
