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

    /// Digits may be small letters too.
    static func read(_ text: UnsafeBufferPointer<UInt8>) -> UUID? {
        guard text.count == length else { return nil }
        var identifier: uuid_t = (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
        var place = 0
        let isRead = withUnsafeMutableBytes(of: &identifier) { bytes in
            for number in bytes.indices {
                if number == 4 || number == 6 || number == 8 || number == 10 {
                    guard text[place] == UInt8(ascii: "-") else { return false }
                    place += 1
                }
                guard let high = value(text[place]), let low = value(text[place + 1]) else { return false }
                bytes[number] = high << 4 | low
                place += 2
            }
            return true
        }
        return isRead ? UUID(uuid: identifier) : nil
    }

    private static func value(_ digit: UInt8) -> UInt8? {
        switch digit {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
        case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
        case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
        default: nil
        }
    }

    private static func digit(_ value: UInt8) -> CChar {
        CChar(value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "A") + value - 10)
    }
}
