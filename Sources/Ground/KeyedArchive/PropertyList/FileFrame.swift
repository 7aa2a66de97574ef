/// The header and the trailer of every binary property list.
enum FileFrame {
    static let headerLength = 8
    /// “bplist00” as one big-endian number.
    static let headerNumber: UInt64 = 0x6270_6C69_7374_3030
    static let trailerLength = 32
}
