package import Foundation

/// The text of identifiers, as `uuidString` has it: that takes some 8,000 instructions on Linux, each way.
extension UUID {
    private static let textBytes = 36
    private static let digits = Array("0123456789ABCDEF".utf8)

    /// Returns true if a hyphen precedes the byte at this index.
    private static func isAfterHyphen(_ index: Int) -> Bool { index == 4 || index == 6 || index == 8 || index == 10 }

    /// Its 36 characters, with capital letters.
    package var text: String {
        String(unsafeUninitializedCapacity: Self.textBytes) { output in
            withUnsafeBytes(of: uuid) { bytes in
                var place = 0
                for index in bytes.indices {
                    if Self.isAfterHyphen(index) {
                        output[place] = UInt8(ascii: "-")
                        place += 1
                    }
                    output[place] = Self.digits[Int(bytes[index] >> 4)]
                    output[place + 1] = Self.digits[Int(bytes[index] & 0xF)]
                    place += 2
                }
                return place
            }
        }
    }

    /// Creates an identifier from its 36 characters; nil for any other text.
    package init?(text: String) {
        var text = text
        let parsed = text.withUTF8 { characters -> uuid_t? in
            guard characters.count == Self.textBytes else { return nil }
            var identifier = UUID.unknownPeer.uuid
            let isValid = withUnsafeMutableBytes(of: &identifier) { bytes in
                var place = 0
                for index in bytes.indices {
                    if Self.isAfterHyphen(index) {
                        guard characters[place] == UInt8(ascii: "-") else { return false }
                        place += 1
                    }
                    guard let high = Self.value(characters[place]), let low = Self.value(characters[place + 1]) else {
                        return false
                    }
                    bytes[index] = high << 4 | low
                    place += 2
                }
                return true
            }
            return isValid ? identifier : nil
        }
        guard let parsed else { return nil }
        self.init(uuid: parsed)
    }

    /// Returns the value of a hexadecimal digit; nil for any other character.
    private static func value(_ character: UInt8) -> UInt8? {
        switch character {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): character - UInt8(ascii: "0")
        case UInt8(ascii: "A")...UInt8(ascii: "F"): character - UInt8(ascii: "A") + 10
        case UInt8(ascii: "a")...UInt8(ascii: "f"): character - UInt8(ascii: "a") + 10
        default: nil
        }
    }
}
