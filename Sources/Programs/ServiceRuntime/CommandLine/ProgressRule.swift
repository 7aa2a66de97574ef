/// The moments at which progress is shown.
struct ProgressRule {
    /// The times of a line on a terminal that is overwritten. Half a second: a waiting user sees it within a second. 100 ms: looks
    /// alive and costs nothing measurable.
    static let terminal = ProgressRule(patience: .milliseconds(500), period: .milliseconds(100))
    /// The times of lines in a file, which stay. A minute: a log shows that the work goes on, and servers that build and test end
    /// what says nothing for some minutes.
    static let file = ProgressRule(patience: .seconds(60), period: .seconds(60))

    /// The time before progress is first shown.
    let patience: Duration
    /// The time between two.
    let period: Duration
    private(set) var last: Duration?

    init(patience: Duration, period: Duration) { (self.patience, self.period) = (patience, period) }

    /// Decides whether to show progress now.
    ///
    /// - Parameter elapsed: The time since the work began.
    mutating func isDue(after elapsed: Duration) -> Bool {
        guard elapsed > patience, last.map({ elapsed - $0 > period }) ?? true else { return false }
        last = elapsed
        return true
    }
}
