import Foundation

extension ObjectTable {
    /// The whole binary property list, with `top` as its top object.
    func encoded(top: Index) -> Data {
        let referenceSize = Self.width(for: UInt64(entries.count))
        let table = Container.headerLength + objectBytes(referenceSize: referenceSize)
        let offsetSize = Self.width(for: UInt64(table))
        let length = table + entries.count * offsetSize + Container.trailerLength
        guard let memory = malloc(length) else { return Data() }
        let output = OutputBytes(UnsafeMutableRawBufferPointer(start: memory, count: length))

        output.put(Container.headerNumber, width: 8, at: 0)
        var (place, offsetPlace) = (Container.headerLength, table)
        for entry in entries.elements {
            output.put(UInt64(place), width: offsetSize, at: offsetPlace)
            offsetPlace += offsetSize
            write(entry, to: output, at: &place, referenceSize: referenceSize)
        }
        let trailer = length - Container.trailerLength
        output.put(0, width: 6, at: trailer)
        output.put(UInt64(offsetSize), width: 1, at: trailer + 6)
        output.put(UInt64(referenceSize), width: 1, at: trailer + 7)
        output.put(UInt64(entries.count), width: 8, at: trailer + 8)
        output.put(UInt64(top), width: 8, at: trailer + 16)
        output.put(UInt64(table), width: 8, at: trailer + 24)
        return Data(bytesNoCopy: memory, count: length, deallocator: .free)
    }

    @inline(__always)
    private func write(_ entry: Entry, to output: OutputBytes, at place: inout Int, referenceSize: Int) {
        let (start, count) = (Int(entry.start), Int(entry.count))
        switch entry.kind {
        case .scalar:
            output.put(scalars.elements(start, count), at: &place)
        case .uid:
            let width = Self.identifierWidth(entry.start)
            output.put(UInt64(ObjectMarker.uid | UInt8(width - 1)), width: 1, at: place)
            output.put(UInt64(entry.start), width: width, at: place + 1)
            place += 1 + width
        case .body:
            output.put(marker: ObjectMarker.data, count: bodies[start].count, at: &place)
            bodies[start].withUnsafeBytes { body in
                body.withMemoryRebound(to: UInt8.self) { output.put($0, at: &place) }
            }
        case .array, .set:
            let marker = entry.kind == .array ? ObjectMarker.array : ObjectMarker.set
            output.put(marker: marker, count: count, at: &place)
            output.put(references.elements(start, count), width: referenceSize, at: &place)
        case .dictionary:
            output.put(marker: ObjectMarker.dictionary, count: count, at: &place)
            output.put(references.elements(start, 2 * count), width: referenceSize, at: &place)
        }
    }

    private func objectBytes(referenceSize: Int) -> Int {
        var total = 0
        for entry in entries.elements {
            let count = Int(entry.count)
            switch entry.kind {
            case .scalar: total += count
            case .uid: total += 1 + Self.identifierWidth(entry.start)
            case .body:
                let length = bodies[Int(entry.start)].count
                total += OutputBytes.headerLength(count: length) + length
            case .array, .set: total += OutputBytes.headerLength(count: count) + count * referenceSize
            case .dictionary: total += OutputBytes.headerLength(count: count) + 2 * count * referenceSize
            }
        }
        return total
    }

    /// UIDs take 1, 2 or 4 bytes, as CoreFoundation writes them.
    private static func identifierWidth(_ uid: UInt32) -> Int { uid <= 0xFF ? 1 : uid <= 0xFFFF ? 2 : 4 }

    /// The least of CoreFoundation's widths that holds strictly more than `value`.
    private static func width(for value: UInt64) -> Int {
        switch value {
        case 0..<0x100: 1
        case 0..<0x1_0000: 2
        case 0..<0x1_0000_0000: 4
        default: 8
        }
    }
}
