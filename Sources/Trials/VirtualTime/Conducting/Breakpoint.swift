/// A decision before which a process of a performance waits, in real time, until a debugger attaches, and then stops in
/// it.
public struct Breakpoint: Sendable {
    /// The number of the process in starting order, from 0.
    public let process: Int
    /// The number of the decision among those of the process, from 0.
    public let decision: Int
    let announce: @Sendable (_ identifier: Int32) -> Void

    /// Creates a breakpoint.
    ///
    /// - Parameters:
    ///   - process: The number of the process in starting order, from 0.
    ///   - decision: The number of the decision among those of the process, from 0.
    ///   - announce: A closure called when the process starts, with the process identifier for the debugger.
    public init(process: Int, decision: Int, announce: @escaping @Sendable (_ identifier: Int32) -> Void) {
        (self.process, self.decision, self.announce) = (process, decision, announce)
    }
}
