/// The linker's notes in a 64-bit little-endian ELF executable. Any other file has none.
struct ExecutableNotes {
    private let bytes: UnsafeRawBufferPointer

    init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

    // Constants of the format: elf(5).
    private static let identification: [UInt8] = [0x7F, 0x45, 0x4C, 0x46, 2, 1]
    private static let (segmentTableOffset, segmentSizeOffset, segmentCountOffset) = (32, 54, 56)
    private static let noteSegment: UInt32 = 4
    private static let noteHeader = 12
    private static let buildIDNote: UInt32 = 3
    private static let vendor: [UInt8] = [0x47, 0x4E, 0x55, 0]
    /// 64 bytes: more than the longest hash that linkers use (SHA-1, 20 bytes).
    private static let longestBuildID = 64

    /// The build id in hexadecimal digits, if the executable has one.
    var buildID: String? {
        guard bytes.count > 64, bytes.starts(with: Self.identification),
            let table = offset(at: Self.segmentTableOffset),
            let size: UInt16 = number(at: Self.segmentSizeOffset), size >= 56,
            let count: UInt16 = number(at: Self.segmentCountOffset)
        else { return nil }
        for index in 0..<Int(count) {
            let (segment, overflow) = table.addingReportingOverflow(index * Int(size))
            guard !overflow, let type: UInt32 = number(at: segment) else { return nil }
            guard type == Self.noteSegment, let start = offset(at: segment + 8), let length = offset(at: segment + 32),
                length <= bytes.count, start <= bytes.count - length
            else { continue }
            if let identifier = buildID(in: start..<start + length) { return identifier }
        }
        return nil
    }

    private func buildID(in range: Range<Int>) -> String? {
        var position = range.lowerBound
        while position + Self.noteHeader <= range.upperBound {
            guard let nameSize: UInt32 = number(at: position), let size: UInt32 = number(at: position + 4),
                let type: UInt32 = number(at: position + 8)
            else { return nil }
            let name = position + Self.noteHeader
            let description = name + Self.padded(nameSize)
            let end = description + Int(size)
            guard end <= range.upperBound else { return nil }
            if type == Self.buildIDNote, size > 0, size <= Self.longestBuildID,
                bytes[name..<name + Int(nameSize)].elementsEqual(Self.vendor)
            {
                return bytes[description..<end].map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
            }
            position = description + Self.padded(size)
        }
        return nil
    }

    private static func padded(_ size: UInt32) -> Int { (Int(size) + 3) & ~3 }

    private func offset(at position: Int) -> Int? {
        guard let number: UInt64 = number(at: position) else { return nil }
        return Int(exactly: number)
    }

    private func number<Number: FixedWidthInteger>(at position: Int) -> Number? {
        guard position >= 0, position <= bytes.count - MemoryLayout<Number>.size else { return nil }
        return Number(littleEndian: bytes.loadUnaligned(fromByteOffset: position, as: Number.self))
    }
}
