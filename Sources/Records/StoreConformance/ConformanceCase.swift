/// A promise of every store, and the check of it.
public struct ConformanceCase: Sendable {
    /// The name, for a command line: “exactly-once”.
    public let name: String
    /// The promise, as a sentence.
    public let promise: String
    /// True if the promise is about several hosts, and does not concern a store of one.
    public let needsSharing: Bool
    private let check: @Sendable (ConformanceTrial) throws -> Void

    init(
        _ name: String, _ promise: String, needsSharing: Bool = false,
        _ check: @escaping @Sendable (ConformanceTrial) throws -> Void
    ) {
        self.name = name
        self.promise = promise
        self.needsSharing = needsSharing
        self.check = check
    }

    /// Checks the promise in a new store, and removes that.
    ///
    /// - Parameters:
    ///   - stores: Makes the new store.
    ///   - token: Lower-case letters and digits that no other run uses at the same time; they become part of the table's
    ///     name.
    /// - Throws: A ``ConformanceFailure``, or the error of the store.
    public func run(_ stores: StoreMaker, token: String) throws {
        let trial = ConformanceTrial(stores, name: token + name)
        do {
            try check(trial)
        } catch {
            trial.close()
            // The case's failure matters more than that of tidying up.
            do { try stores.remove(trial.kind) } catch {}
            throw error
        }
        trial.close()
        try stores.remove(trial.kind)
    }

    /// All cases, the simple ones first.
    public static let all = basic + content + reading + removal + files + sharing
}
