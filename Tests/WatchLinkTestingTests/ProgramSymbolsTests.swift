import TestSupport
import Testing

@testable import WatchLinkTesting

@Suite("The functions in a program's file")
struct ProgramSymbolsTests {
    private static let file = SymbolFile(symbols: [
        SymbolFile.Symbol(name: "third", address: 0x300, size: 0), SymbolFile.Symbol(name: "first", address: 0x100),
        SymbolFile.Symbol(name: "second", address: 0x200),
    ])

    private static func symbols(_ file: SymbolFile) throws -> ProgramSymbols {
        let scratch = try Scratch()
        return ProgramSymbols(path: try file.write(in: scratch))
    }

    @Test("They are in the order of their addresses, whichever table ends the file", arguments: [true, false])
    func order(_ namesAreLast: Bool) throws {
        var file = Self.file
        file.namesAreLast = namesAreLast
        let functions = try Self.symbols(file).functions
        #expect(functions.map(\.name) == ["first", "second", "third"])
        #expect(functions.map(\.address) == [0x100, 0x200, 0x300])
        #expect(functions.map(\.size) == [16, 16, 0])
    }

    @Test("Data, functions of other files and those without a name are not among them")
    func others() throws {
        let file = SymbolFile(symbols: [
            // The names are one byte, and these with their ends.
            SymbolFile.Symbol(name: "own", address: 0x100),
            SymbolFile.Symbol(name: "data", address: 0x200, information: 0x11),
            SymbolFile.Symbol(name: "other", address: 0),
            SymbolFile.Symbol(name: "", address: 0x300, place: 1 + 4 + 5 + 6),
            SymbolFile.Symbol(name: "", address: 0x400, place: .max),
        ])
        let names = try Self.symbols(file).functions.map(\.name)
        #expect(names == ["own"])
    }

    /// A file that is not as it should be.
    struct Damage: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let file: SymbolFile

        init(_ name: String, _ change: (inout SymbolFile) -> Void) {
            testDescription = name
            var file = ProgramSymbolsTests.file
            change(&file)
            self.file = file
        }
    }

    static let damages: [Damage] = [
        Damage("a program of 32 bits") { $0.identification[4] = 1 },
        Damage("a program of the other byte order") { $0.identification[5] = 2 },
        Damage("another file") { $0.identification[1] = 0 },
        Damage("the mark of a program alone") { $0.length = 6 },
        Damage("a table of sections behind all files") { $0.sectionTable = .max },
        Damage("a table of sections that reaches there") { $0.sectionTable = UInt64(Int.max) - 40 },
        Damage("symbols behind all files") { $0.symbolsOffset = .max },
        Damage("symbols without an end") { $0.symbolsSize = .max },
        Damage("symbols longer than the file") { $0.symbolsSize = 1 << 40 },
        Damage("names in no section") { $0.namesSection = 99 },
    ]

    @Test("A file that is no such program, or damaged, has none", arguments: damages)
    func damaged(_ damage: Damage) throws {
        let names = try Self.symbols(damage.file).functions.map(\.name)
        #expect(names == [])
    }

    @Test("A file that does not exist has none")
    func absent() {
        let functions = ProgramSymbols(path: "/nonexistent/program").functions.map(\.name)
        #expect(functions == [])
    }

    @Test("An address belongs to the function that contains it, and the first one of a function without a size to it")
    func addresses() throws {
        let symbols = try Self.symbols(Self.file)
        let expected: [(address: UInt64, name: String?)] = [
            (0, nil), (0xFF, nil), (0x100, "first"), (0x10F, "first"), (0x110, nil), (0x1FF, nil), (0x200, "second"),
            (0x20F, "second"), (0x300, "third"), (0x301, nil),
        ]
        for (address, name) in expected {
            let found = symbols.function(at: address)?.name
            #expect(found == name, "\(address)")
        }
    }

    @Test("Without functions, no address belongs to one")
    func none() {
        let found = ProgramSymbols(path: "/nonexistent/program").function(at: 0x100)?.name
        #expect(found == nil)
    }
}
