/// The keys of the dictionary in which an archived object travels.
public enum Payload {
    /// The archived object's bytes.
    public static let dataKey = "dataKey"
}
