/// The kinds of object in a binary property list: the high nibble of the byte that starts each object.
/// Source: CoreFoundation's CFBinaryPList.c, version "00"; kinds of later versions (URL, UUID, UTF-8) are not read.
enum ObjectMarker {
    static let null: UInt8 = 0x00
    static let no: UInt8 = 0x08
    static let yes: UInt8 = 0x09
    static let integer: UInt8 = 0x10
    static let float: UInt8 = 0x22
    static let real: UInt8 = 0x23
    static let date: UInt8 = 0x33
    static let data: UInt8 = 0x40
    static let asciiString: UInt8 = 0x50
    static let utf16String: UInt8 = 0x60
    static let uid: UInt8 = 0x80
    static let array: UInt8 = 0xA0
    static let set: UInt8 = 0xC0
    static let dictionary: UInt8 = 0xD0
    /// The low nibble that marks a count which follows as an integer object.
    static let longCount: UInt8 = 0x0F
}
