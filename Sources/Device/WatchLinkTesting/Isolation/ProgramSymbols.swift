import Foundation

/// The functions of a 64-bit little-endian ELF program, from its symbol table. A stripped program has none.
struct ProgramSymbols: Sendable {
    struct Function: Sendable {
        let address: UInt64
        let size: UInt64
        let name: String
    }

    /// In the order of their addresses.
    let functions: [Function]

    // Constants of the format: elf(5).
    private static let identification: [UInt8] = [0x7F, 0x45, 0x4C, 0x46, 2, 1]
    private static let symbolTable: UInt32 = 2
    private static let function: UInt8 = 2
    private static let (sectionTableOffset, sectionSizeOffset, sectionCountOffset) = (0x28, 0x3A, 0x3C)
    private static let symbolSize = 24

    init(path: String) {
        do {
            functions = try Data(contentsOf: URL(filePath: path), options: .alwaysMapped)
                .withUnsafeBytes { Self.functions($0) }
        } catch {
            // A library that was replaced or removed: its calls stay unnamed.
            functions = []
        }
    }

    private static func functions(_ bytes: UnsafeRawBufferPointer) -> [Function] {
        guard bytes.starts(with: identification), let table: UInt64 = number(bytes, sectionTableOffset),
            let size: UInt16 = number(bytes, sectionSizeOffset), let count: UInt16 = number(bytes, sectionCountOffset)
        else { return [] }
        let sections = (0..<Int(count)).map { Int(clamping: table) &+ $0 * Int(size) }
        for section in sections {
            guard let type: UInt32 = number(bytes, section &+ 4), type == symbolTable,
                let symbols = range(bytes, section), let link: UInt32 = number(bytes, section + 40),
                sections.indices.contains(Int(link)), let names = range(bytes, sections[Int(link)])
            else { continue }
            return functions(bytes, symbols, names).sorted { $0.address < $1.address }
        }
        return []
    }

    private static func functions(
        _ bytes: UnsafeRawBufferPointer, _ symbols: Range<Int>, _ names: Range<Int>
    ) -> [Function] {
        stride(from: symbols.lowerBound, to: symbols.upperBound - symbolSize + 1, by: symbolSize).compactMap { symbol in
            guard bytes[symbol + 4] & 0xF == function, let name: UInt32 = number(bytes, symbol),
                let address: UInt64 = number(bytes, symbol + 8), let size: UInt64 = number(bytes, symbol + 16),
                address != 0, names.lowerBound + Int(name) < names.upperBound
            else { return nil }
            let text = bytes[(names.lowerBound + Int(name))..<names.upperBound].prefix { $0 != 0 }
            return Function(address: address, size: size, name: String(decoding: text, as: UTF8.self))
        }
    }

    private static func range(_ bytes: UnsafeRawBufferPointer, _ section: Int) -> Range<Int>? {
        guard let offset: UInt64 = number(bytes, section + 24), let size: UInt64 = number(bytes, section + 32),
            offset <= bytes.count, size <= bytes.count - Int(offset)
        else { return nil }
        return Int(offset)..<Int(offset) + Int(size)
    }

    private static func number<Number: FixedWidthInteger>(_ bytes: UnsafeRawBufferPointer, _ position: Int) -> Number? {
        guard position >= 0, position <= bytes.count - MemoryLayout<Number>.size else { return nil }
        return Number(littleEndian: bytes.loadUnaligned(fromByteOffset: position, as: Number.self))
    }

    /// Returns the function that contains an address.
    func function(at address: UInt64) -> Function? {
        var (low, high) = (0, functions.count)
        while low < high {
            let middle = (low + high) / 2
            if functions[middle].address <= address { low = middle + 1 } else { high = middle }
        }
        guard low > 0 else { return nil }
        let found = functions[low - 1]
        return address < found.address + max(found.size, 1) ? found : nil
    }
}
