/// A publisher that sends one value to each subscriber, then finishes.
public struct Just<Output>: Publisher {
    /// The publisher cannot fail.
    public typealias Failure = Never

    /// The value.
    public let output: Output

    /// Creates a publisher of one value.
    public init(_ output: Output) { self.output = output }

    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Never {
        let outlet = Outlet(subscriber, surplus: .keep)
        outlet.send(output)
        outlet.finish(.finished)
        outlet.open()
    }
}

extension Just: Equatable where Output: Equatable {}
