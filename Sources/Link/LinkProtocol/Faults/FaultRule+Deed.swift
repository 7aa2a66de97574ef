import Words

extension FaultRule {
    /// Returns what the rule did to one package, in the words that a rule with this effect alone has.
    ///
    /// - Parameter span: The time by which the package was delayed, or for which the link is down.
    package func deed(on package: MessagePackage, for span: Duration?) -> String {
        let effect: Effect =
            switch (effect, span) {
            case (.delay, let span?): .delay(Self.wholeMilliseconds(span))
            case (.lose, let span?): .lose(Self.wholeMilliseconds(span))
            case (.drop, _), (.duplicate, _), (.hold, _), (.reorder, _), (.delay, nil), (.lose, nil): effect
            }
        return FaultRule(effect, FaultTarget(package) ?? target, direction).description
    }

    private static func wholeMilliseconds(_ span: Duration) -> Duration {
        .milliseconds(Int64((span / .milliseconds(1)).rounded()))
    }
}

extension FaultRule.Direction {
    /// Returns what the link's condition did to something that a direction carried, in words like those of a rule.
    ///
    /// - Parameter span: The whole milliseconds by which it was later than the latency.
    package func lateness(_ span: Duration) -> String { "late \(rawValue) by=\(WordValue.text(span))" }
}

extension AppFault {
    /// The fault as it happens once, in the words that a fault with this effect alone has.
    package var deed: String { AppFault(effect).description }
}
