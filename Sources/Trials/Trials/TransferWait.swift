import Configuration

/// Waits until nothing waits to be sent by a device, looking again whenever its ledger changes.
struct TransferWait {
    private let name: String
    private let patience: Duration
    private let call: (_ method: String, _ params: JSONValue) throws -> JSONValue

    /// - Parameters:
    ///   - name: The device's, for what is said of it.
    ///   - call: Asks it.
    init(
        of name: String, within patience: Duration,
        call: @escaping (_ method: String, _ params: JSONValue) throws -> JSONValue
    ) {
        (self.name, self.patience, self.call) = (name, patience, call)
    }

    func wait() throws {
        let end = ContinuousClock.now + patience
        var place: Int64 = 0
        while (try call("device.status", .object([:]))["outgoing"]?.integer ?? 0) > 0 {
            guard .now < end else {
                throw TrialFailure("after \(patience) the \(name) still has what it must send")
            }
            let changes = try call(
                "ledger", ["after": .integer(place), "wait": .boolean(place > 0), "limit": .integer(1_000)])
            place = changes.array?.compactMap { $0["sequence"]?.integer }.max() ?? place + 1
        }
    }
}
