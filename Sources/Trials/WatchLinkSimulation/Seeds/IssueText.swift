import Testing

/// An issue as one line of text.
struct IssueText {
    let text: String

    init(_ issue: Issue) {
        let comments = issue.comments.map(\.rawValue).joined(separator: "; ")
        let place = issue.sourceLocation.map { " (\($0.fileName):\($0.line))" } ?? ""
        text = "\(issue.kind)" + (comments.isEmpty ? "" : ": \(comments)") + place
    }
}
