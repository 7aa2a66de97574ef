import Configuration
import DeviceControl
import LinkProtocol

/// Waits until a device has no transfers to send, and its app has received what arrived; checks again whenever its ledger
/// changes.
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

    /// - Returns: False if there was nothing to wait for.
    @discardableResult
    func wait() throws -> Bool {
        let end = ContinuousClock.now + patience
        var (question, hasWaited) = (LedgerQuestion(), false)
        while let reason = try reason() {
            guard .now < end else { throw TrialFailure("the \(name) still has \(reason) after \(patience)") }
            hasWaited = true
            let changes = try call(.ledger(question)).array
            question.after = changes?.compactMap { $0["sequence"]?.integer }.max() ?? question.after + 1
            question.waits = true
        }
        return hasWaited
    }

    /// Returns what is still to be done, or nil.
    private func reason() throws -> String? {
        let status = try call(.status)
        if (status["outgoing"]?.integer ?? 0) > 0 { return "transfers to send" }
        // Others keep what arrived: the app does not run, its session is not active, or a delegate method does not return.
        let application = status["application"]?.string.flatMap(ApplicationState.init(rawValue:))
        guard application?.isRunning == true, status["session"]?.string == "activated", status["delegate"] == .null
        else { return nil }
        return (status["incoming"]?.integer ?? 0) > 0 ? "content that its app has not received" : nil
    }
}
