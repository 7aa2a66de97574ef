import Foundation
import TestSupport

/// A program's file that holds nothing but a symbol table. Its sections are longer than any tool for lines knows them:
/// its functions have names, and no lines.
struct SymbolFile: Sendable {
    /// An entry of the table.
    struct Symbol: Sendable {
        var name: String
        var address: UInt64
        var size: UInt64 = 16
        /// The kind and the visibility: a function that other files see.
        var information: UInt8 = 0x12
        /// The place of the name; nil for that of ``name``.
        var place: UInt32?
    }

    private static let headerSize = 64
    private static let sectionSize = 72
    private static let sectionCount = 3

    var symbols: [Symbol]
    /// False if the symbols are behind their names, at the end of the file.
    var namesAreLast = true
    var identification: [UInt8] = [0x7F, 0x45, 0x4C, 0x46, 2, 1]
    /// What a damaged file says in place of the truth.
    var sectionTable: UInt64?
    var symbolsOffset: UInt64?
    var symbolsSize: UInt64?
    var namesSection: UInt32 = 1
    /// The bytes of a file that ends early.
    var length = Int.max

    /// Writes the file, and returns its path.
    func write(in scratch: Scratch, as name: String = "program") throws -> String {
        try Data(bytes).write(to: URL(filePath: scratch.path(name)))
        return scratch.path(name)
    }

    private var bytes: [UInt8] {
        var names: [UInt8] = [0]
        var table: [UInt8] = []
        for symbol in symbols {
            table += Self.little(symbol.place ?? UInt32(names.count))
            table += [symbol.information, 0, 0, 0]
            table += Self.little(symbol.address)
            table += Self.little(symbol.size)
            if symbol.place == nil { names += Array(symbol.name.utf8) + [0] }
        }
        let start = Self.headerSize + Self.sectionCount * Self.sectionSize
        let (symbolsStart, namesStart) = namesAreLast ? (start, start + table.count) : (start + names.count, start)
        var bytes = header
        bytes += Self.section(type: 0, offset: 0, size: 0, link: 0)
        bytes += Self.section(type: 3, offset: UInt64(namesStart), size: UInt64(names.count), link: 0)
        bytes += Self.section(
            type: 2, offset: symbolsOffset ?? UInt64(symbolsStart), size: symbolsSize ?? UInt64(table.count),
            link: namesSection)
        bytes += namesAreLast ? table + names : names + table
        return Array(bytes.prefix(length))
    }

    private var header: [UInt8] {
        var header = [UInt8](repeating: 0, count: Self.headerSize)
        header.replaceSubrange(0..<identification.count, with: identification)
        header.replaceSubrange(0x28..<0x30, with: Self.little(sectionTable ?? UInt64(Self.headerSize)))
        header.replaceSubrange(0x3A..<0x3C, with: Self.little(UInt16(Self.sectionSize)))
        header.replaceSubrange(0x3C..<0x3E, with: Self.little(UInt16(Self.sectionCount)))
        return header
    }

    private static func section(type: UInt32, offset: UInt64, size: UInt64, link: UInt32) -> [UInt8] {
        var section = [UInt8](repeating: 0, count: sectionSize)
        section.replaceSubrange(4..<8, with: little(type))
        section.replaceSubrange(24..<32, with: little(offset))
        section.replaceSubrange(32..<40, with: little(size))
        section.replaceSubrange(40..<44, with: little(link))
        return section
    }

    private static func little<Number: FixedWidthInteger>(_ number: Number) -> [UInt8] {
        withUnsafeBytes(of: number.littleEndian) { Array($0) }
    }
}
