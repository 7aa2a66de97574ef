import ServiceRuntime

/// The services that run in a directory, whoever started them.
extension StateDirectory {
    /// - Parameter service: “host” or “companion”.
    func call(
        _ service: String, _ method: String, _ params: JSONValue = .object([:]), within patience: Duration
    ) throws(ControlClient.Failure) -> JSONValue {
        try ControlClient(path: controlSocket(of: service), timeout: patience).call(method, params)
    }

    /// Waits until nothing waits to be sent by a service, looking again whenever its ledger changes.
    func awaitTransfers(of service: String, within patience: Duration) throws {
        let end = ContinuousClock.now + patience
        var place: Int64 = 0
        while (try call(service, "device.status", within: patience)["outgoing"]?.integer ?? 0) > 0 {
            guard .now < end else {
                throw TrialFailure("after \(patience) the \(service) still has what it must send")
            }
            let changes = try call(
                service, "ledger", ["after": .integer(place), "wait": .boolean(place > 0), "limit": .integer(1_000)],
                within: patience)
            place = changes.array?.compactMap { $0["sequence"]?.integer }.max() ?? place + 1
        }
    }
}
