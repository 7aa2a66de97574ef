/// A service that can be started once and stopped once.
protocol Service: AnyObject, Sendable {
    /// Begins to serve. `completion` is called once, with the error if it cannot.
    func start(_ completion: @escaping @Sendable ((any Error)?) -> Void)

    /// Calls back when every event loop of the service has turned.
    func pulse(_ completion: @escaping @Sendable () -> Void)

    /// How it is, in a few words for people.
    var summary: String { get }

    /// Takes over what may change while it runs; `former` are the settings until now.
    func reload(_ settings: ServiceSettings, former: ServiceSettings)

    /// Finishes what is in hand. `completion` is called once.
    func stop(_ completion: @escaping @Sendable () -> Void)
}
