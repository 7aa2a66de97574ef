extension BinaryPropertyList {
    /// Decodes a string's body; nil for an object that is not a string. Strings marked as ASCII that contain valid
    /// UTF-8 exist in real files and are read as UTF-8.
    func string(_ object: Object) throws(ArchiveError) -> String? {
        switch object {
        case .asciiString(let range):
            let text = bytes.bytes(range)
            if text.isASCII { return String(decoding: text, as: UTF8.self) }
            guard let string = String(validating: text, as: UTF8.self) else {
                throw ArchiveError(.corruptObject, "string is neither ASCII nor UTF-8", offset: range.lowerBound)
            }
            return string
        case .utf16String(let range): return try utf16(range)
        case .null, .boolean, .integer, .unsigned, .float, .real, .date, .data, .uid, .array, .set, .dictionary:
            return nil
        }
    }

    /// Transcodes in one pass: each UTF-16 unit takes at most three bytes of UTF-8.
    private func utf16(_ range: Range<Int>) throws(ArchiveError) -> String {
        var place = range.lowerBound
        let string = String(unsafeUninitializedCapacity: 3 * (range.count / 2)) { output in
            var length = 0
            while place < range.upperBound {
                let unit = UInt32(bytes.bigEndian(at: place, width: 2))
                var scalar = unit
                if unit & 0xF800 == 0xD800 {
                    guard unit < 0xDC00, place + 4 <= range.upperBound else { break }
                    let low = UInt32(bytes.bigEndian(at: place + 2, width: 2))
                    guard low & 0xFC00 == 0xDC00 else { break }
                    scalar = 0x1_0000 + (unit & 0x3FF) << 10 + low & 0x3FF
                    place += 2
                }
                place += 2
                length += Self.put(scalar, into: output, at: length)
            }
            return length
        }
        guard place == range.upperBound else {
            throw ArchiveError(.corruptObject, "string is not valid UTF-16", offset: range.lowerBound)
        }
        return string
    }

    /// Writes a scalar as UTF-8 and returns the number of bytes written.
    private static func put(_ scalar: UInt32, into output: UnsafeMutableBufferPointer<UInt8>, at place: Int) -> Int {
        func byte(_ shift: UInt32, _ mark: UInt8, _ mask: UInt32 = 0x3F) -> UInt8 {
            mark | UInt8(truncatingIfNeeded: scalar >> shift & mask)
        }
        switch scalar {
        case 0..<0x80:
            output[place] = UInt8(truncatingIfNeeded: scalar)
            return 1
        case 0x80..<0x800:
            output[place] = byte(6, 0xC0, 0x1F)
            output[place + 1] = byte(0, 0x80)
            return 2
        case 0x800..<0x1_0000:
            output[place] = byte(12, 0xE0, 0x0F)
            output[place + 1] = byte(6, 0x80)
            output[place + 2] = byte(0, 0x80)
            return 3
        default:
            output[place] = byte(18, 0xF0, 0x07)
            output[place + 1] = byte(12, 0x80)
            output[place + 2] = byte(6, 0x80)
            output[place + 3] = byte(0, 0x80)
            return 4
        }
    }
}
