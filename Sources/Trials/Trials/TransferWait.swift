import Configuration
import DeviceControl

/// Waits until nothing waits to be sent by a device, looking again whenever its ledger changes.
struct TransferWait {
    private let name: String
    private let patience: Duration
    private let call: (DeviceRequest) throws -> JSONValue

    /// - Parameters:
    ///   - name: The device's, for what is said of it.
    ///   - call: Asks it.
    init(
        of name: String, within patience: Duration,
        call: @escaping (DeviceRequest) throws -> JSONValue
    ) {
        (self.name, self.patience, self.call) = (name, patience, call)
    }

    func wait() throws {
        let end = ContinuousClock.now + patience
        var question = LedgerQuestion()
        while (try call(.status)["outgoing"]?.integer ?? 0) > 0 {
            guard .now < end else {
                throw TrialFailure("after \(patience) the \(name) still has what it must send")
            }
            let changes = try call(.ledger(question)).array
            question.after = changes?.compactMap { $0["sequence"]?.integer }.max() ?? question.after + 1
            question.waits = true
        }
    }
}
