import LinkProtocol

/// The two databases, each with a queue of its own.
extension AppProcess {
    /// Changes records on a disk: `done` has what the change returned, or nil if the disk did not take it. By then it is durable.
    ///
    /// - Parameter isEager: A planted bug's: whether `done` comes before that.
    func commit<Records, Result>(
        _ disk: SimulatedDisk<Records>, isEager: Bool = false, _ change: @escaping (inout Records) -> Result,
        _ done: @escaping (Result?) -> Void = { (_: Result?) in }
    ) {
        disk.enqueue { [self] in
            guard !world.random.happens(disk.failures) else {
                done(nil)
                return disk.next()
            }
            var result: Result?
            disk.write { result = change(&$0) }
            if isEager { done(result) }
            schedule(after: world.syncDelay()) {
                disk.sync()
                if !isEager { done(result) }
                disk.next()
            }
        }
    }
}
