/// A decision before which a process of a performance waits, in real time, until a debugger is attached to it, and stops in that.
public struct Breakpoint: Sendable {
    /// The process's number in the order in which they begin, from 0.
    public let process: Int
    /// The decision's number among those of the process, from 0.
    public let decision: Int
    let announce: @Sendable (_ identifier: Int32) -> Void

    /// - Parameter announce: Called when the process starts, with the number by which a debugger attaches.
    public init(process: Int, decision: Int, announce: @escaping @Sendable (_ identifier: Int32) -> Void) {
        (self.process, self.decision, self.announce) = (process, decision, announce)
    }
}
