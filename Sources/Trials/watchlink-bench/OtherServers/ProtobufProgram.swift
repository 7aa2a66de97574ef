import Foundation
import Processes

/// Protocol Buffers in C++, compiled by the compiler at hand: its code is generated from the message's definition.
struct ProtobufProgram {
    /// Nanoseconds for one message of a quiz, and for one of many.
    struct Times: Decodable {
        let encode: Double
        let decode: Double
        let encodeMany: Double
        let decodeMany: Double
    }

    /// The time for the compiler. Two minutes: it takes some seconds, a busy machine more.
    private static let limit = DispatchTimeInterval.seconds(120)

    private let path: String

    /// Compiles the program; nil if the compiler or the library is not installed.
    static func compile(in folder: BenchFolder) throws -> ProtobufProgram? {
        guard let protoc = ProgramSearch.find("protoc"), let compiler = ProgramSearch.find("c++"),
            FileManager.default.fileExists(atPath: "/usr/include/google/protobuf/message.h")
        else { return nil }
        let directory = try folder.socket("protobuf")
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: false)
        try Data(PackageResources.quiz_proto).write(to: URL(filePath: "\(directory)/quiz.proto"))
        try Data(PackageResources.protobuf_quiz_cc_txt).write(to: URL(filePath: "\(directory)/main.cc"))
        try run(protoc, ["--cpp_out=.", "quiz.proto"], in: directory)
        try run(compiler, ["-O2", "-o", "quiz", "main.cc", "quiz.pb.cc", "-lprotobuf", "-pthread"], in: directory)
        return ProtobufProgram(path: "\(directory)/quiz")
    }

    /// Measures for a time.
    func run(_ effort: Effort) throws -> Times {
        let output = try Self.run(path, ["\(effort.seconds / 4)"], in: "/")
        return try JSONDecoder().decode(Times.self, from: Data(output.utf8))
    }

    @discardableResult
    private static func run(_ program: String, _ arguments: [String], in directory: String) throws -> String {
        let process = try BackgroundProcess(
            program, executable: URL(filePath: program), arguments: arguments, environment: ["PATH": "/usr/bin:/bin"],
            directory: URL(filePath: directory), mergesOutput: true)
        guard let code = process.wait(within: limit) else {
            process.kill()
            throw BenchError("\(program) did not end in \(limit)")
        }
        let output = process.lines.joined(separator: "\n")
        guard code == 0 else { throw BenchError("\(program) failed with code \(code): \(output)") }
        return output
    }
}
