import Foundation

extension ObjectTable {
    /// Returns the whole binary property list, with `top` as its top object.
    ///
    /// - Throws: ``ArchiveError/Code/limitExceeded`` for a list that no reader with these limits would accept.
    func encoded(top: Index, limits: ArchiveLimits) throws(ArchiveError) -> Data {
        let referenceSize = Self.width(for: UInt64(count))
        let table = FileFrame.headerLength + objectBytes(referenceSize: referenceSize)
        let offsetSize = Self.width(for: UInt64(table))
        let length = table + count * offsetSize + FileFrame.trailerLength
        guard length <= limits.bytes else {
            throw ArchiveError(.limitExceeded, "\(length) bytes; the limit is \(limits.bytes)")
        }
        guard count <= limits.objects else {
            throw ArchiveError(.limitExceeded, "\(count) objects; the limit is \(limits.objects)")
        }
        guard let memory = malloc(length) else {
            throw ArchiveError(.limitExceeded, "no memory for \(length) bytes")
        }
        let output = OutputBytes(UnsafeMutableRawBufferPointer(start: memory, count: length))

        output.put(FileFrame.headerNumber, width: 8, at: 0)
        var (place, offsetPlace) = (FileFrame.headerLength, table)
        let first = containers.count > 0 ? 1 : 0
        for position in 0..<first {
            output.put(UInt64(place), width: offsetSize, at: offsetPlace)
            offsetPlace += offsetSize
            write(containers[position], to: output, at: &place, referenceSize: referenceSize)
        }
        output.put(offsetsOf: scalars.elements, from: place, width: offsetSize, at: &offsetPlace)
        output.put(bytes.elements, at: &place)
        for position in first..<max(first, containers.count) {
            output.put(UInt64(place), width: offsetSize, at: offsetPlace)
            offsetPlace += offsetSize
            write(containers[position], to: output, at: &place, referenceSize: referenceSize)
        }
        let trailer = length - FileFrame.trailerLength
        output.put(0, width: 6, at: trailer)
        output.put(UInt64(offsetSize), width: 1, at: trailer + 6)
        output.put(UInt64(referenceSize), width: 1, at: trailer + 7)
        output.put(UInt64(count), width: 8, at: trailer + 8)
        output.put(UInt64(number(of: top)), width: 8, at: trailer + 16)
        output.put(UInt64(table), width: 8, at: trailer + 24)
        return Data(bytesNoCopy: memory, count: length, deallocator: .free)
    }

    /// Returns the position of an object in the file's object table.
    private func number(of index: Index) -> Index {
        if index == Self.containerBit { return 0 }
        if index > Self.containerBit { return (index & ~Self.containerBit) + Index(scalars.count) }
        return containers.count > 0 ? index + 1 : index
    }

    @inline(__always)
    private func write(_ container: Container, to output: OutputBytes, at place: inout Int, referenceSize: Int) {
        let (start, count) = (Int(container.start), Int(container.count))
        switch container.kind {
        case .body:
            output.put(marker: ObjectMarker.data, count: bodies[start].count, at: &place)
            bodies[start].withUnsafeBytes { body in
                body.withMemoryRebound(to: UInt8.self) { output.put($0, at: &place) }
            }
        case .array, .set:
            let marker = container.kind == .array ? ObjectMarker.array : ObjectMarker.set
            output.put(marker: marker, count: count, at: &place)
            output.put(
                references.elements(start, count), scalars: Index(scalars.count), width: referenceSize, at: &place)
        case .dictionary:
            output.put(marker: ObjectMarker.dictionary, count: count, at: &place)
            output.put(
                references.elements(start, 2 * count), scalars: Index(scalars.count), width: referenceSize, at: &place)
        }
    }

    private func objectBytes(referenceSize: Int) -> Int {
        var total = bytes.count + bodies.bytes + references.count * referenceSize
        for container in containers.elements {
            let isBody = container.kind == .body
            total += OutputBytes.headerLength(
                count: isBody ? bodies[Int(container.start)].count : Int(container.count))
        }
        return total
    }

    /// Returns the smallest of CoreFoundation's widths that holds strictly more than `value`.
    private static func width(for value: UInt64) -> Int {
        switch value {
        case 0..<0x100: 1
        case 0..<0x1_0000: 2
        case 0..<0x1_0000_0000: 4
        default: 8
        }
    }
}
