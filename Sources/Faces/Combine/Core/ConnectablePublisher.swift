/// A publisher that sends nothing before it is connected.
public protocol ConnectablePublisher<Output, Failure>: Publisher {
    /// Starts sending.
    ///
    /// - Returns: A cancellable that stops it.
    func connect() -> any Cancellable
}

extension ConnectablePublisher {
    /// Returns a publisher that connects with its first subscriber, and disconnects when its last one has cancelled.
    public func autoconnect() -> Publishers.Autoconnect<Self> { Publishers.Autoconnect(upstream: self) }
}
