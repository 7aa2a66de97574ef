/// What stands at the ends of every binary property list.
enum Container {
    static let header: [UInt8] = Array("bplist00".utf8)
    static let trailerLength = 32
}
