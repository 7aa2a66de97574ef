/// A service that can be started once and stopped once.
protocol Service: AnyObject, Sendable {
    /// Begins to serve. `completion` is called once, with the error if it cannot.
    func start(_ completion: @escaping @Sendable ((any Error)?) -> Void)

    /// Finishes what is in hand. `completion` is called once.
    func stop(_ completion: @escaping @Sendable () -> Void)
}
