public import LinkProtocol

extension DevicePair {
    /// Waits until a sender's ledger holds as many entries as expected.
    ///
    /// An entry counts if it is in the state or has passed it: what is delivered was sent. The wait ends as soon as
    /// there are enough entries, and fails at once if there are too many.
    ///
    /// - Parameters:
    ///   - content: The content. A reply is sent by the side that answers.
    ///   - side: The side that sends it.
    ///   - state: The state. `delivered`: the other side's device has it. `received` is looked up in that side's ledger.
    ///   - times: The number of entries, such as `3`, `1...` or `...2`.
    ///   - limit: The time-out, reached only if something is broken.
    ///   - fileID: The file of the call.
    ///   - line: The line of the call.
    /// - Throws: ``LedgerMismatch`` with the entries that were found, and any error of reading the ledger.
    public func expect(
        _ content: SentContent, from side: PairSide, _ state: LedgerEntry.State = .delivered,
        times: some ExpectedTimes = 1, within limit: Duration = .seconds(30), fileID: String = #fileID,
        line: Int = #line
    ) async throws {
        let expectation = LedgerExpectation(
            content: content, side: side, end: .sender, state: state, times: times.expectedTimes)
        try await signal.expect(expectation, within: limit, at: CallSite(fileID, line), ledger(of:))
    }

    /// Waits until a receiver's ledger holds as many entries as expected, as ``expect(_:from:_:times:within:fileID:line:)``
    /// does for a sender's.
    ///
    /// - Parameters:
    ///   - content: The content.
    ///   - side: The side that receives it.
    ///   - state: The state. `received`: the device has it. `delivered`: its delegate has handled it.
    ///   - times: The number of entries, such as `3`, `1...` or `...2`.
    ///   - limit: The time-out, reached only if something is broken.
    ///   - fileID: The file of the call.
    ///   - line: The line of the call.
    /// - Throws: ``LedgerMismatch`` with the entries that were found, and any error of reading the ledger.
    public func expect(
        _ content: SentContent, at side: PairSide, _ state: LedgerEntry.State = .delivered,
        times: some ExpectedTimes = 1, within limit: Duration = .seconds(30), fileID: String = #fileID,
        line: Int = #line
    ) async throws {
        let expectation = LedgerExpectation(
            content: content, side: side, end: .receiver, state: state, times: times.expectedTimes)
        try await signal.expect(expectation, within: limit, at: CallSite(fileID, line), ledger(of:))
    }
}
