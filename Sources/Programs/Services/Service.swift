/// A service that can be started once and stopped once.
protocol Service: AnyObject, Sendable {
    /// Starts the service. `completion` is called once, with the error if it cannot start.
    func start(_ completion: @escaping @Sendable ((any Error)?) -> Void)

    /// Calls back once every event loop of the service has turned.
    func pulse(_ completion: @escaping @Sendable () -> Void)

    /// A short status for the service manager.
    var summary: String { get }

    /// Applies the reloadable settings; `former` are the current ones.
    func reload(_ settings: ServiceSettings, former: ServiceSettings)

    /// Finishes pending work. `completion` is called once.
    func stop(_ completion: @escaping @Sendable () -> Void)
}
