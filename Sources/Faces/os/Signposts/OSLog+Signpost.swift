import EventLog

extension OSLog {
    /// Writes a signpost as a line of the level “debug”: its kind and name, its text, and its identifier.
    func writeSignpost(
        _ type: OSSignpostType, _ name: StaticString, _ identifier: OSSignpostID,
        fields: [(key: String, value: String)] = [], _ text: (_ showsPrivate: Bool) -> String
    ) {
        let signpost = identifier == .exclusive ? "exclusive" : String(identifier.rawValue)
        write(.debug, fields: [("signpost", signpost)] + fields) { showsPrivate in
            let text = text(showsPrivate)
            return "\(type.word) \(name)" + (text.isEmpty ? "" : ": \(text)")
        }
    }
}
