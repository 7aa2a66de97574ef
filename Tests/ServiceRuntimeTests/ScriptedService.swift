import Files
import Foundation
import Glibc
import LinkTransport
import TestSupport
import Testing

/// A service that serves one client, and answers each of its lines as a script says.
final class ScriptedService: Sendable {
    /// The answer to a line, which is given with its number, from 1 on. Nil ends the connection.
    typealias Script = @Sendable (_ number: Int, _ line: String) -> String?

    /// The lines that arrived.
    let lines = Collector<String>()
    /// Filled when the connection has ended at this side.
    let ends = Collector<Bool>()

    /// - Parameter farewell: What is sent to the client before the connection ends, without reading; nil for a client
    ///   that is served.
    init(at path: String, farewell: String? = nil, _ script: @escaping Script = { _, _ in nil }) throws {
        let listener = try UnixSocket.listen(at: path, mode: 0o600)
        let (listening, lines, ends) = (dup(listener.number), lines, ends)
        Thread.detachNewThread {
            do {
                try ScriptedService.serve(listening, farewell: farewell, script, lines)
            } catch {
                Issue.record(error)
            }
            ends.add(true)
        }
    }

    private static func serve(
        _ listening: Int32, farewell: String?, _ script: Script, _ lines: Collector<String>
    ) throws {
        let listener = Descriptor(listening)
        guard isReadable(listening), let client = try UnixSocket.accept(listener) else { return }
        if let farewell { return write(farewell, to: client.number) }
        var buffer = LineBuffer(maximumBytes: 1_048_576)
        var chunk = [UInt8](repeating: 0, count: 65_536)
        var number = 0
        while isReadable(client.number) {
            let count = read(client.number, &chunk, chunk.count)
            guard count > 0 else { return }
            chunk.withUnsafeBytes { buffer.append(UnsafeRawBufferPointer(rebasing: $0[..<count])) }
            while let line = try buffer.nextLine() {
                number += 1
                let text = String(decoding: line, as: UTF8.self)
                lines.add(text)
                guard let answer = script(number, text) else { return }
                write(answer, to: client.number)
            }
        }
    }

    private static func write(_ text: String, to number: Int32) {
        let bytes = Array(text.utf8)
        // A client that has left needs no answer.
        _ = send(number, bytes, bytes.count, Int32(MSG_NOSIGNAL))
    }

    private static func isReadable(_ number: Int32) -> Bool {
        var entry = pollfd(fd: number, events: Int16(POLLIN), revents: 0)
        return poll(&entry, 1, 20_000) == 1
    }
}
