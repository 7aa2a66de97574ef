/// The error for a summary that cannot be used.
struct SummaryError: Error, Equatable, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}
