/// The keys of a payload's dictionary.
public enum Payload {
    /// The key of the archived object's bytes.
    public static let dataKey = "dataKey"
    /// The key of the predecessor: the 16 bytes of the identifier of the quiz that was sent before this one. Absent if
    /// nothing else was in flight then.
    public static let predecessorKey = "predecessor"
}
