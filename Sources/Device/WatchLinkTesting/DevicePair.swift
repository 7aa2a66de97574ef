public import LinkProtocol

/// A phone and its watches, in the test's process or in processes of their own.
public protocol DevicePair: AnyObject, Sendable {
    /// The signal of the devices' changes, for which waits wait.
    var signal: ChangeSignal { get }

    /// Reads the ledger of a side; of several watches, the ledgers of all.
    ///
    /// - Throws: Any error of reading it.
    func ledger(of side: PairSide) throws -> [LedgerEntry]
}
