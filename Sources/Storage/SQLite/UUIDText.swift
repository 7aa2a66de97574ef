import Foundation

/// An identifier's text without a string around it: each row that is written has some.
enum UUIDText {
    static let length = 36

    /// - Parameter text: ``length`` characters.
    static func write(_ identifier: UUID, to text: UnsafeMutableBufferPointer<CChar>) {
        var place = 0
        withUnsafeBytes(of: identifier.uuid) { bytes in
            for (number, byte) in bytes.enumerated() {
                if number == 4 || number == 6 || number == 8 || number == 10 {
                    text[place] = CChar(UInt8(ascii: "-"))
                    place += 1
                }
                text[place] = digit(byte >> 4)
                text[place + 1] = digit(byte & 0xF)
                place += 2
            }
        }
    }

    private static func digit(_ value: UInt8) -> CChar {
        CChar(value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "A") + value - 10)
    }
}
