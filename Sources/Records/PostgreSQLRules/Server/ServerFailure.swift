/// A failure that a server reported, or that of the connection to it.
///
/// It contains no details and no parameters, which may contain a record's content.
package struct ServerFailure: Error, Equatable, Sendable, CustomStringConvertible {
    /// The five characters of SQLSTATE; nil if the connection failed without a word of the server.
    package let state: String?
    /// The server's primary message, or the library's.
    package let message: String
    /// True if the connection cannot be used any more: the outcome of a commit under way is unknown.
    package let isConnectionLost: Bool

    package init(state: String?, message: String, isConnectionLost: Bool) {
        self.state = state
        self.message = message
        self.isConnectionLost = isConnectionLost
    }

    package var description: String { state.map { "\(message) (SQLSTATE \($0))" } ?? message }

    /// True if a record to be inserted is there already.
    package var isRepeat: Bool { state == "23505" }

    /// True if a record's file is not there, or a file that a record has was to be removed.
    package var isAboutFile: Bool { state == "23503" }

    /// The way to go on after it.
    package var response: FailureResponse { FailureResponse(to: self) }
}
