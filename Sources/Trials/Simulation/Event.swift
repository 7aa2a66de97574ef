import LinkProtocol

/// Something that happens at its time. What happens most often has a case of its own, and needs no closure.
enum Event {
    case nothing
    /// The plan's step of this number.
    case step(Int)
    /// One whose app did not run then.
    case postponedStep(Int)
    /// A parcel comes out of a connection, at this end of it.
    case arrival(SimulatedConnection.Parcel, SimulatedConnection, end: Int)
    /// A device's engine wants to be called.
    case deadline(SimulatedDevice, MonotonicTime)
    /// The delegate's next call.
    case call(SimulatedDevice)
    /// A watch tries to connect again.
    case reconnection(SimulatedDevice)
    /// The end of a connection wants to be called.
    case endpointDeadline(Endpoint)
    case action(() -> Void)
}
