import Foundation

/// The identifiers that a world gives out hold numbers, by which they are told apart from those of the devices' engines.
extension UUID {
    enum Numbering: UInt64 {
        /// Packages.
        case package = 0xA000_0000_0000_4000
        /// Messages, quizzes and transfers, as the trace names them.
        case named = 0xB000_0000_0000_4000
    }

    /// The variant of an identifier of version 4, ahead of the number.
    private static let variant: UInt64 = 0x8000_0000_0000_0000

    init(_ number: Int, of numbering: Numbering) {
        let words = (numbering.rawValue.bigEndian, (Self.variant | UInt64(number)).bigEndian)
        self.init(uuid: withUnsafeBytes(of: words) { $0.loadUnaligned(as: uuid_t.self) })
    }

    /// Its number; nil if it is none of these.
    func number(of numbering: Numbering) -> Int? {
        let words = withUnsafeBytes(of: uuid) { $0.loadUnaligned(as: (UInt64, UInt64).self) }
        guard UInt64(bigEndian: words.0) == numbering.rawValue else { return nil }
        return Int(UInt64(bigEndian: words.1) & ~Self.variant)
    }
}
