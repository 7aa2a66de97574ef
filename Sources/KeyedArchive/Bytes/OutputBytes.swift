import Foundation

/// The memory of a file of known length that is being written. Nothing is written outside of it.
struct OutputBytes {
    private let buffer: UnsafeMutableRawBufferPointer

    init(_ buffer: UnsafeMutableRawBufferPointer) { self.buffer = buffer }

    @inline(__always)
    func put(_ value: UInt64, width: Int, at place: Int) {
        guard place >= 0, width <= buffer.count - place else { return assertionFailure("written outside of the file") }
        switch width {
        case 1: buffer.storeBytes(of: UInt8(truncatingIfNeeded: value), toByteOffset: place, as: UInt8.self)
        case 2: buffer.storeBytes(of: UInt16(truncatingIfNeeded: value).bigEndian, toByteOffset: place, as: UInt16.self)
        case 4: buffer.storeBytes(of: UInt32(truncatingIfNeeded: value).bigEndian, toByteOffset: place, as: UInt32.self)
        case 8: buffer.storeBytes(of: value.bigEndian, toByteOffset: place, as: UInt64.self)
        default:
            for position in 0..<width {
                buffer[place + position] = UInt8(truncatingIfNeeded: value >> UInt64(8 * (width - 1 - position)))
            }
        }
    }

    @inline(__always)
    func put(_ bytes: UnsafeBufferPointer<UInt8>, at place: inout Int) {
        guard let source = bytes.baseAddress, let target = buffer.baseAddress else { return }
        guard bytes.count <= buffer.count - place else { return assertionFailure("written outside of the file") }
        memcpy(target + place, source, bytes.count)
        place += bytes.count
    }

    /// - Parameter width: 1, 2 or 4.
    func put(_ references: UnsafeBufferPointer<UInt32>, width: Int, at place: inout Int) {
        guard references.count * width <= buffer.count - place else {
            return assertionFailure("written outside of the file")
        }
        switch width {
        case 1: for reference in references { store(UInt8(truncatingIfNeeded: reference), &place) }
        case 2: for reference in references { store(UInt16(truncatingIfNeeded: reference).bigEndian, &place) }
        default: for reference in references { store(reference.bigEndian, &place) }
        }
    }

    /// Stores what is known to lie within the file.
    @inline(__always)
    private func store<Word: FixedWidthInteger & BitwiseCopyable>(_ word: Word, _ place: inout Int) {
        buffer.baseAddress?.storeBytes(of: word, toByteOffset: place, as: Word.self)
        place += MemoryLayout<Word>.size
    }

    /// The start of an object that has a count.
    func put(marker: UInt8, count: Int, at place: inout Int) {
        guard count >= Int(ObjectMarker.longCount) else {
            put(UInt64(marker | UInt8(count)), width: 1, at: place)
            place += 1
            return
        }
        let exponent = Self.exponent(of: count)
        put(UInt64(marker | ObjectMarker.longCount), width: 1, at: place)
        put(UInt64(ObjectMarker.integer | exponent), width: 1, at: place + 1)
        put(UInt64(count), width: 1 << Int(exponent), at: place + 2)
        place += 2 + 1 << Int(exponent)
    }

    static func headerLength(count: Int) -> Int {
        count < Int(ObjectMarker.longCount) ? 1 : 2 + 1 << Int(exponent(of: count))
    }

    private static func exponent(of count: Int) -> UInt8 {
        switch count {
        case 0...0xFF: 0
        case 0...0xFFFF: 1
        case 0...0xFFFF_FFFF: 2
        default: 3
        }
    }
}
