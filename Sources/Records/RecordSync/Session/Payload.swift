/// The keys of a payload's dictionary.
public enum Payload {
    /// The key of the archived object's bytes.
    public static let dataKey = "dataKey"
    /// The key of the predecessor: the 16 bytes of the identifier of the payload that was sent before this one. Absent if
    /// nothing else was in flight then.
    public static let predecessorKey = "predecessor"
    /// The key of the payload's name, a string: “workout”. Absent for the application whose payloads have none.
    public static let nameKey = "name"
    /// The key of a digest in the dictionary of a payload's file: the SHA-256 of its content.
    public static let digestKey = "digest"
}
