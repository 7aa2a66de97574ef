import Foundation

/// The archived form of decimal numbers: a 128-bit mantissa in 16-bit words, and a power of ten.
struct DecimalForm {
    enum Key {
        static let exponent = "NS.exponent"
        static let length = "NS.length"
        static let isNegative = "NS.negative"
        static let isCompact = "NS.compact"
        static let mantissa = "NS.mantissa"
        static let byteOrder = "NS.mantissa.bo"
    }

    /// The byte order, by `NSHostByteOrder`'s numbers.
    enum ByteOrder: Int64 {
        case littleEndian = 1
        case bigEndian = 2
    }

    static let mantissaLength = 16

    let isNegative: Bool
    let mantissa: UInt128
    let exponent: Int

    /// “Not a number”: negative, without words.
    private static let notANumber = DecimalForm(isNegative: true, mantissa: 0, exponent: 0)

    private init(isNegative: Bool, mantissa: UInt128, exponent: Int) {
        self.isNegative = isNegative
        self.mantissa = mantissa
        self.exponent = exponent
    }

    init(_ decimal: Decimal) {
        // A decimal's words are not public on Linux; its digits are.
        guard !decimal.isNaN, let mantissa = UInt128(decimal.significand.magnitude.description) else {
            self = Self.notANumber
            return
        }
        self.init(isNegative: decimal.isSignMinus, mantissa: mantissa, exponent: decimal.exponent)
    }

    /// Creates the form from archived words.
    ///
    /// - Parameters:
    ///   - words: 16 bytes, as 16-bit words, the least significant first.
    ///   - length: The number of significant words, 0 to 8.
    /// - Returns: Nil if the exponent does not fit into 8 bits, or if the words are invalid.
    init?(isNegative: Bool, exponent: Int64, words: UnsafeRawBufferPointer, length: Int64, byteOrder: ByteOrder) {
        guard words.count == Self.mantissaLength, (0...8).contains(length), let exponent = Int8(exactly: exponent)
        else {
            return nil
        }
        var mantissa: UInt128 = 0
        for position in (0..<Int(length)).reversed() {
            let (first, second) = (UInt128(words[2 * position]), UInt128(words[2 * position + 1]))
            mantissa = mantissa << 16 | (byteOrder == .littleEndian ? second << 8 | first : first << 8 | second)
        }
        self.init(isNegative: isNegative, mantissa: mantissa, exponent: Int(exponent))
    }

    var decimal: Decimal? {
        if isNegative, mantissa == 0 { return .nan }
        guard let significand = Decimal(string: mantissa.description) else { return nil }
        return Decimal(sign: isNegative ? .minus : .plus, exponent: exponent, significand: significand)
    }

    /// The nearest double.
    var double: Double { decimal.map { NSDecimalNumber(decimal: $0).doubleValue } ?? .nan }

    func encode(with archiver: KeyedArchiver) {
        var words = mantissa.littleEndian
        let length = (UInt128.bitWidth - mantissa.leadingZeroBitCount + 15) / 16
        archiver.plain(Key.exponent) { $0.add(Int64(exponent)) }
        archiver.plain(Key.length) { $0.add(Int64(length)) }
        archiver.plain(Key.isNegative) { $0.add(isNegative) }
        archiver.plain(Key.isCompact) { $0.add(true) }
        archiver.plain(Key.byteOrder) { $0.add(ByteOrder.littleEndian.rawValue) }
        archiver.plain(Key.mantissa) { table in withUnsafeBytes(of: &words) { table.add(data: $0) } }
    }
}
