import LinkProtocol

/// Something that happens at a given time. The most frequent events have their own cases, which saves a closure.
enum Event {
    case nothing
    /// The step of the plan with this number.
    case step(Int)
    /// A step that was postponed because its app was not running.
    case postponedStep(Int)
    /// A parcel arrives at this end of a connection.
    case arrival(SimulatedConnection.Parcel, SimulatedConnection, end: Int)
    /// A deadline of a device's engine.
    case deadline(SimulatedShell, MonotonicTime)
    /// The delegate's next call.
    case call(SimulatedShell)
    /// A watch tries to connect again.
    case reconnection(SimulatedShell)
    /// A deadline of one end of a connection.
    case endpointDeadline(Endpoint)
    case action(() -> Void)
}
