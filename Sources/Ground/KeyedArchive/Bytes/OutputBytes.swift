import Foundation

/// The memory of a file of known length that is being written. No write goes outside it.
struct OutputBytes {
    private let buffer: UnsafeMutableRawBufferPointer

    init(_ buffer: UnsafeMutableRawBufferPointer) { self.buffer = buffer }

    @inline(__always)
    func put(_ value: UInt64, width: Int, at place: Int) {
        guard place >= 0, width <= buffer.count - place else { return assertionFailure("write outside the file") }
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
        guard bytes.count <= buffer.count - place else { return assertionFailure("write outside the file") }
        memcpy(target + place, source, bytes.count)
        place += bytes.count
    }

    /// Writes references as object numbers.
    ///
    /// - Parameters:
    ///   - scalars: The number of scalars: see ``ObjectTable`` for the order of the objects in the file.
    ///   - width: The bytes per reference: 1, 2 or 4.
    @inline(__always)
    func put(
        _ references: UnsafeBufferPointer<ObjectTable.Index>, scalars: ObjectTable.Index, width: Int,
        at place: inout Int
    ) {
        guard references.count * width <= buffer.count - place else {
            return assertionFailure("write outside the file")
        }
        @inline(__always)
        func number(_ reference: ObjectTable.Index) -> UInt32 {
            (reference & ~ObjectTable.containerBit) &+ (reference < ObjectTable.containerBit ? 1 : scalars)
        }
        switch width {
        case 1: store(references, at: &place) { UInt8(truncatingIfNeeded: number($0)) }
        case 2: store(references, at: &place) { UInt16(truncatingIfNeeded: number($0)).bigEndian }
        default: store(references, at: &place) { number($0).bigEndian }
        }
    }

    /// Writes the offsets of scalars.
    ///
    /// - Parameter width: The bytes per offset: 1, 2, 4 or 8.
    func put(
        offsetsOf scalars: UnsafeBufferPointer<ObjectTable.Scalar>, from start: Int, width: Int, at place: inout Int
    ) {
        guard scalars.count * width <= buffer.count - place else {
            return assertionFailure("write outside the file")
        }
        @inline(__always)
        func offset(_ scalar: ObjectTable.Scalar) -> Int { start &+ Int(scalar.start) }
        switch width {
        case 1: store(scalars, at: &place) { UInt8(truncatingIfNeeded: offset($0)) }
        case 2: store(scalars, at: &place) { UInt16(truncatingIfNeeded: offset($0)).bigEndian }
        case 4: store(scalars, at: &place) { UInt32(truncatingIfNeeded: offset($0)).bigEndian }
        default: store(scalars, at: &place) { UInt64(truncatingIfNeeded: offset($0)).bigEndian }
        }
    }

    /// Stores a word for each element; the caller checked that they lie within the file.
    @inline(__always)
    private func store<Element, Word: FixedWidthInteger & BitwiseCopyable>(
        _ elements: UnsafeBufferPointer<Element>, at place: inout Int, word: (Element) -> Word
    ) {
        guard let target = buffer.baseAddress.map({ $0 + place }) else { return }
        for position in 0..<elements.count {
            target.storeBytes(
                of: word(elements[position]), toByteOffset: position &* MemoryLayout<Word>.size, as: Word.self)
        }
        place += elements.count * MemoryLayout<Word>.size
    }

    /// Writes the marker and the count of an object.
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
