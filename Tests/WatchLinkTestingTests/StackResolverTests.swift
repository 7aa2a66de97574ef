import Foundation
import Processes
import TestSupport
import Testing

@testable import WatchLinkTesting

@Suite("The functions and lines behind addresses")
struct StackResolverTests {
    private static let screen = "$s4prog6ScreenC4sendyyF"
    private static let session = "$s17WatchConnectivity9WCSessionC8activateyyF"

    @Test("A stack is told without the system's calls and the session's, which are at both ends")
    func calls() throws {
        let scratch = try Scratch()
        let program = try SymbolFile(symbols: [
            SymbolFile.Symbol(name: Self.screen, address: 0x100), SymbolFile.Symbol(name: Self.session, address: 0x200),
        ]).write(in: scratch)
        func call(_ image: Int, _ offset: UInt64) -> CallStack.Call { CallStack.Call(image: image, offset: offset) }
        let stack = CallStack(
            images: [program, "/nonexistent/libc.so.6"],
            calls: [
                call(1, 1), call(0, 0x201), call(1, 2), call(0, 0x101), call(1, 3), call(0, 0x900), call(0, 0x10F),
                call(0, 0x202), call(0, 0x102),
            ])
        let names = StackResolver([stack]).calls(of: stack).map(\.name)
        #expect(names == [Self.screen, nil, Self.screen])
    }

    @Test("Functions are found by their names in source: no other code that bears the name, and no library's")
    func functions() throws {
        let names = [
            "$s4prog7FetcherV5fetchSiyYaF", "$s4prog6ScreenC5fetchyyFZ", "$s4prog6ScreenC04openB0yyF",
            "$s4prog5OtherV10openScreenyyF",
            // Its pointer, one of other labels, another function and another module's.
            "$s4prog7FetcherV5fetchSiyYaFTu", "$s4prog7FetcherV5fetch2ofySi_tF", "$s4prog7FetcherV4stopyyF",
            "$s17WatchConnectivity7FetcherV5fetchSiyYaF", "fetch",
        ]
        let scratch = try Scratch()
        let symbols = names.enumerated().map { index, name in
            SymbolFile.Symbol(name: name, address: UInt64(index + 1) * 0x100)
        }
        let program = try SymbolFile(symbols: symbols).write(in: scratch)
        let resolver = StackResolver([])
        let fetches = resolver.functions("fetch()", in: program).map(\.name)
        #expect(fetches == [names[0], names[1]])
        let openings = resolver.functions("openScreen()", in: program).map(\.name)
        #expect(openings == [names[2], names[3]])
        let ofScreen = resolver.functions("openScreen()", prefix: "$s4prog6ScreenC", in: program).map(\.name)
        #expect(ofScreen == [names[2]])
    }

    @Test("A place is the file and the line, relative to the working directory; without a line there is none")
    func places() {
        let resolver = StackResolver([])
        let folder = FileManager.default.currentDirectoryPath
        #expect(resolver.place(of: ResolvedCall(file: "/other/a.swift", line: 1)) == "/other/a.swift:1")
        #expect(resolver.place(of: ResolvedCall(file: "\(folder)/Sources/a.swift", line: 12)) == "Sources/a.swift:12")
        #expect(resolver.place(of: ResolvedCall(file: "/other/a.swift", line: 0)) == nil)
        #expect(resolver.place(of: ResolvedCall(file: "/other/a.swift")) == nil)
        #expect(resolver.place(of: ResolvedCall(line: 1)) == nil)
    }

    @Test("The compiler's own functions have no file of the author's")
    func compilers() {
        for file in ["<compiler-generated>", "/build/<compiler-generated>", "??"] {
            #expect(SourceLines.Place(function: "f", file: file, line: 0).isMadeByCompiler, "\(file)")
        }
        #expect(!SourceLines.Place(function: "f", file: "/src/a.swift", line: 0).isMadeByCompiler)
    }
}

/// A program that is built for debugging: the tool for lines runs for real.
@Suite("The lines of a program", .enabled(if: SourceLines.tool != nil))
struct ProgramLineTests {
    private let program = TestPrograms.directory.appending(path: "IsolationProgram").path
    private let symbols: ProgramSymbols

    init() { symbols = ProgramSymbols(path: program) }

    /// Returns the number of the first line of a program's file that contains a text.
    private func line(_ text: String, _ file: String) throws -> Int {
        let url = ProjectFiles.root.appending(path: "Tests/IsolationProgram/\(file)")
        let lines = try String(contentsOf: url, encoding: .utf8).components(separatedBy: "\n")
        return try #require(lines.firstIndex { $0.contains(text) }) + 1
    }

    private func calls(_ addresses: UInt64...) -> [ResolvedCall] {
        let stack = CallStack(images: [program], calls: addresses.map { CallStack.Call(image: 0, offset: $0) })
        return StackResolver([stack]).calls(of: stack)
    }

    @Test("A function has its line, by its address and by its name")
    func functions() throws {
        let method = "session(_:activationDidCompleteWith:error:)"
        let number = try line("func session(", "QuietDelegate.swift")
        let place = "/QuietDelegate.swift:\(number)"
        let resolver = StackResolver([])
        let named = resolver.functions(method, in: program).compactMap(resolver.place)
        #expect(named.filter { $0.hasSuffix(place) }.count == 1, "\(named)")
        let symbol = try #require(
            symbols.functions.first {
                $0.name.contains("QuietDelegateC7session") && $0.name.hasSuffix("F")
                    && SwiftName(mangled: $0.name).isFunction(method)
            })
        let found = calls(symbol.address)
        #expect(found.map(\.name) == [symbol.name])
        let told = found.compactMap(resolver.place)
        #expect(told.filter { $0.hasSuffix(place) } == told, "\(told)")
        #expect(told.count == 1)
    }

    @Test("Code without a line, such as the check of its actor, has that of its function; other code, its own")
    func unlined() throws {
        let symbol = try #require(
            symbols.functions.first {
                $0.name.contains("ScreenC4sendyyF")
                    && SwiftName(mangled: $0.name).short == "closure #1 in IsolationProgram.Screen.send()"
            })
        let addresses = Array(symbol.address..<symbol.address + symbol.size)
        let places = SourceLines.places(of: addresses, in: program)
        let unlined = try #require(
            addresses.first { places[$0]?.first.map { $0.line == 0 && !$0.isMadeByCompiler } == true })
        let number = try line("sendMessage([\"n\": 1]) { _ in", "Screen.swift")
        let found = calls(unlined)
        #expect(found.first?.line == number, "\(found)")
        let body = try #require(addresses.first { places[$0]?.first?.line == number + 1 })
        let other = calls(body)
        #expect(other.first?.line == number + 1, "\(other)")
    }
}
