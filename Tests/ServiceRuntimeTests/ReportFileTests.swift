import Foundation
import Processes
import ServiceRuntime
import Testing

@Suite("Files of reports")
struct ReportFileTests {
    private let scratch: ScratchDirectory

    init() throws { scratch = try ScratchDirectory() }

    @Test("A file is replaced as a whole, and its folder has nothing else")
    func file() throws {
        let path = "\(scratch.path)/report"
        try ReportFile.write("a long first report", to: path)
        try ReportFile.write("a second", to: path)
        let text = try String(contentsOfFile: path, encoding: .utf8)
        #expect(text == "a second")
        let names = try FileManager.default.contentsOfDirectory(atPath: scratch.path)
        #expect(names.filter { $0.contains("report") } == ["report"])
    }

    @Test("A pipe is written to, and stays one")
    func pipe() throws {
        let path = "\(scratch.path)/pipe"
        try #require(mkfifo(path, 0o600) == 0)
        let reader = open(path, O_RDONLY | O_NONBLOCK)
        try #require(reader >= 0)
        defer { close(reader) }
        try ReportFile.write("<testsuites/>", to: path)
        var bytes = [UInt8](repeating: 0, count: 100)
        let count = read(reader, &bytes, bytes.count)
        #expect(String(decoding: bytes.prefix(max(0, count)), as: UTF8.self) == "<testsuites/>")
        var status = stat()
        #expect(stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFIFO, "the pipe was replaced")
    }

    @Test("A folder that is missing is named")
    func missing() throws {
        let error = #expect(throws: (any Error).self) { try ReportFile.write("", to: "\(scratch.path)/none/report") }
        #expect("\(error, default: "no error")".contains("none/report"))
    }
}
