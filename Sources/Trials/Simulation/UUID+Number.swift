import Foundation

/// Identifiers issued by a world hold numbers, which distinguish them from those of the devices' engines.
extension UUID {
    enum Numbering: UInt64 {
        /// Packages.
        case package = 0xA000_0000_0000_4000
        /// Messages, quizzes and transfers, as the trace names them.
        case named = 0xB000_0000_0000_4000
    }

    /// The variant of a version 4 identifier, before the number.
    private static let variant: UInt64 = 0x8000_0000_0000_0000

    init(_ number: Int, of numbering: Numbering) {
        let words = (numbering.rawValue.bigEndian, (Self.variant | UInt64(number)).bigEndian)
        self.init(uuid: withUnsafeBytes(of: words) { $0.loadUnaligned(as: uuid_t.self) })
    }

    /// Returns its number; nil if it does not belong to this numbering.
    func number(of numbering: Numbering) -> Int? {
        let words = withUnsafeBytes(of: uuid) { $0.loadUnaligned(as: (UInt64, UInt64).self) }
        guard UInt64(bigEndian: words.0) == numbering.rawValue else { return nil }
        return Int(UInt64(bigEndian: words.1) & ~Self.variant)
    }
}
