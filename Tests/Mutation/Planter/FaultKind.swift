/// The kinds of planted faults.
enum FaultKind: String, Codable, CaseIterable {
    /// `<` becomes `>=`, `==` becomes `!=`, `&&` becomes `||`, and the other way round.
    case comparison
    /// `<` becomes `<=`, `+ 1` becomes `+ 0`.
    case bound
    /// A condition of a `guard` holds always, or an `if` that leaves early is never taken.
    case `guard`
    /// A call or an assignment is left out.
    case statement
    /// A case without a payload, or a truth value, becomes a sibling.
    case cases
    /// An error that is thrown, or a value that is returned to be stored, is ignored.
    case result
}
