import Configuration
import ControlSocket
import Foundation
import Processes
import ServiceRuntime
import Testing

/// Quizzes during background transfers, between real services.
@Suite("Messages go first", .serialized)
struct PriorityTests {
    @Test("On Bluetooth quizzes are acknowledged during a file transfer and user infos, which arrive as well")
    func bluetooth() throws {
        let bench = try TestBench()
        let (host, companion) = (try bench.start("host"), try bench.start("companion"))
        // On the receiver's side: the sender must find out the capacity of the link.
        try bench.expectCode(0, of: ["link", "host", "condition", "bluetooth"])
        // A mebibyte takes twelve seconds, and all of it may be in flight.
        let content = Data((0..<1_048_576).map { UInt8(truncatingIfNeeded: $0 &* 31) })
        let file = bench.path + "/content"
        try content.write(to: URL(filePath: file))
        let control = try ControlClient(path: bench.state().path + "/companion.control.sock")
        _ = try control.call("send", ["kind": "file", "path": .string(file)])
        for _ in 0..<3 {
            _ = try control.call(
                "send", ["kind": "user-info", "content": .string(String(repeating: "x", count: 60_000))])
        }
        companion.expectLines(4, containing: "transfer sent")
        for _ in 0..<3 {
            let result = try bench.watchlink(["submit", try bench.quizzes(1), "--wait"])
            #expect(result.code == 0, "\(result.output)\(result.errors)")
        }
        // By the order of events, not by the clock: the quizzes were sent last, and are first.
        #expect(
            !companion.lines.contains { $0.contains("transfer finished") && $0.contains("kind=file") },
            "\(companion.lines)")
        #expect(host.lines.filter { $0.contains("quiz stored") }.count == 3)
        companion.expectLines(4, containing: "transfer finished", within: .seconds(60))
    }
}
