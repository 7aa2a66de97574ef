import Foundation

/// The lines of source behind addresses of a program, which a tool of LLVM or of binutils looks up in its debug
/// information.
package enum SourceLines {
    package struct Place: Equatable, Sendable {
        /// The function's mangled name.
        package var function: String
        package var file: String
        /// 0 for code that the compiler made.
        package var line: Int

        package init(function: String, file: String, line: Int) {
            (self.function, self.file, self.line) = (function, file, line)
        }

        /// True for a function without source, such as a thunk.
        package var isMadeByCompiler: Bool { file.hasSuffix("<compiler-generated>") || file == "??" }
    }

    private static let tools = ["llvm-symbolizer", "llvm-addr2line", "addr2line"]

    /// The path of the tool; nil if there is none.
    package static let tool = tools.lazy.compactMap(ProgramSearch.find).first

    /// Returns the places of addresses, the innermost of inlined functions first.
    package static func places(of addresses: [UInt64], in image: String) -> [UInt64: [Place]] {
        guard let tool, !addresses.isEmpty else { return [:] }
        let process = Process()
        process.executableURL = URL(filePath: tool)
        // Words that all three tools know.
        process.arguments = ["-a", "-f", "-i", "-e", image] + addresses.map { "0x" + String($0, radix: 16) }
        if tool.hasSuffix("llvm-symbolizer") {
            process.arguments = ["--output-style=GNU", "--no-demangle"] + (process.arguments ?? [])
        }
        let output = Pipe()
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        do {
            try StartingThread.run { [process = UncheckedProcess(process)] in try process.value.run() }
            let text = try output.fileHandleForReading.readToEnd() ?? Data()
            process.waitUntilExit()
            return places(String(decoding: text, as: UTF8.self))
        } catch {
            // The tool cannot be run: the places stay unknown, and the report says so.
            return [:]
        }
    }

    // Proof of `@unchecked Sendable`: the caller waits while the other thread uses it.
    private struct UncheckedProcess: @unchecked Sendable {
        let value: Process
        init(_ value: Process) { self.value = value }
    }

    /// Reads the tools' output: an address, then pairs of a function and its file and line.
    package static func places(_ text: String) -> [UInt64: [Place]] {
        var result: [UInt64: [Place]] = [:]
        var (address, function): (UInt64?, String?) = (nil, nil)
        for line in text.split(separator: "\n") {
            if line.hasPrefix("0x"), let number = UInt64(line.dropFirst(2), radix: 16) {
                (address, function) = (number, nil)
            } else if let name = function {
                function = nil
                guard let address, let colon = line.lastIndex(of: ":") else { continue }
                // “Screen.swift:12 (discriminator 3)”
                let number = line[line.index(after: colon)...].prefix { $0.isNumber }
                result[address, default: []].append(
                    Place(function: name, file: String(line[..<colon]), line: Int(number) ?? 0))
            } else {
                function = String(line)
            }
        }
        return result
    }
}
