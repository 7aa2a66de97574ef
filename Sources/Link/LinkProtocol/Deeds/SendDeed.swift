/// A transmission on behalf of a person or a scenario, as an app would send it.
package enum SendDeed: Equatable, Sendable {
    package enum Kind: String, CaseIterable, Sendable {
        case message
        case context
        case userInfo = "user-info"
        case complication
        case file
    }

    /// A message with a text.
    case message(String)
    case context(String)
    case userInfo(String)
    case complication(String)
    /// The file at this path.
    case file(path: String)

    /// Creates a transmission of the given kind.
    ///
    /// - Parameters:
    ///   - content: The text; ignored for files.
    ///   - path: The absolute path of the file; ignored for other kinds.
    /// - Returns: Nil if a file has no absolute path.
    package init?(_ kind: Kind, content: String, path: String?) {
        switch kind {
        case .message: self = .message(content)
        case .context: self = .context(content)
        case .userInfo: self = .userInfo(content)
        case .complication: self = .complication(content)
        case .file:
            guard let path, path.hasPrefix("/") else { return nil }
            self = .file(path: path)
        }
    }

    package var kind: Kind {
        switch self {
        case .message: .message
        case .context: .context
        case .userInfo: .userInfo
        case .complication: .complication
        case .file: .file
        }
    }
}
