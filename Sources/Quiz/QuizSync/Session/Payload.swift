/// The keys of the dictionary in which an archived object travels.
public enum Payload {
    /// The archived object's bytes.
    public static let dataKey = "dataKey"
    /// The 16 bytes of the identifier of the quiz that went out before this one. Left out if nothing else was under way then.
    public static let predecessorKey = "predecessor"
}
