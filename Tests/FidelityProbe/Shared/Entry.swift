import Foundation

/// One call of the app's code by the session.
struct Entry {
    /// The delegate's method, shortened, such as “didReceiveMessage”.
    let method: String
    /// The step that the content belongs to; empty for contents without one.
    var step = ""
    var content: [String: Any] = [:]
    /// What else was observed in the call.
    var note = ""
    var error: (any Error)?
    /// The transfer that has ended.
    var transfer: AnyObject?

    /// The number of the content within its step.
    var number: Int { content["n"] as? Int ?? 0 }

    init(_ method: String) { self.method = method }

    init(_ method: String, _ content: [String: Any]) {
        self.method = method
        self.content = content
        step = content["step"] as? String ?? ""
    }
}
