import Configuration
import DeviceControl

/// Waits until a device has no pending transfers; checks again whenever its ledger changes.
struct TransferWait {
    private let name: String
    private let patience: Duration
    private let call: (DeviceRequest) throws -> JSONValue

    /// - Parameters:
    ///   - name: The name of the device, for error messages.
    ///   - call: Sends a request to the device.
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
                throw TrialFailure("the \(name) still has transfers to send after \(patience)")
            }
            let changes = try call(.ledger(question)).array
            question.after = changes?.compactMap { $0["sequence"]?.integer }.max() ?? question.after + 1
            question.waits = true
        }
    }
}
