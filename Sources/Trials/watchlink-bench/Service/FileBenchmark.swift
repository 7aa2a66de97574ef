import Foundation
import LinkProtocol
import LinkTransport
import Locking
import WatchConnectivity

/// Transfers a file through the link, compared with a copy, and measures messages at the same time.
struct FileBenchmark {
    private static let mebibyte = 1_048_576

    let effort: Effort
    let folder: BenchFolder

    func report() throws -> Report {
        var rows: [Measurement] = []
        for (size, name) in [(64, "64 MiB"), (1_024, "1 GiB")] {
            let bytes = max(1, Int(Double(size) * effort.scale)) * Self.mebibyte
            let file = try folder.socket("file")
            try Self.write(bytes, to: file)
            let copy = try Self.copy(file, to: try folder.socket("copy"))
            var options = PeerOptions(socket: try folder.socket("transfer"))
            options.request = bytes
            let server = try PeerProcess.serve("session", options)
            try FileManager.default.createSymbolicLink(atPath: options.socket + ".file", withDestinationPath: file)
            let outcome = try PeerProcess.drive("file", options)
            server.stop()
            rows.append(
                Measurement(
                    name: name, value: Double(bytes) / outcome.seconds, unit: .bytes,
                    reference: ("copy, per second", Double(bytes) / copy),
                    goal: size == 1_024 ? .ratioAtLeast(0.4) : nil, details: outcome.percentiles))
            if size == 1_024 {
                rows.append(
                    Measurement(
                        name: "messages meanwhile, p99", value: outcome.p99, unit: .seconds, goal: .atMost(5e-3)))
            }
            try FileManager.default.removeItem(atPath: file)
        }
        return Report(title: "Files: bytes per second until the receiver has the whole file", rows: rows)
    }

    private static func open(_ path: String) throws -> FileHandle {
        guard FileManager.default.createFile(atPath: path, contents: nil) else {
            throw BenchError("\(path) could not be created")
        }
        return try FileHandle(forWritingTo: URL(filePath: path))
    }

    private static func write(_ bytes: Int, to path: String) throws {
        let handle = try open(path)
        var block = Data(count: mebibyte)
        for number in 0..<(bytes / mebibyte) {
            block[0] = UInt8(number & 0xFF)
            try handle.write(contentsOf: block)
        }
        try handle.synchronize()
        try handle.close()
    }

    /// Returns the seconds of a copy by blocks including the sync to disk, as a receiver must do.
    private static func copy(_ source: String, to target: String) throws -> Double {
        let start = MonotonicTime.now
        let from = try FileHandle(forReadingFrom: URL(filePath: source))
        let to = try open(target)
        while let block = try from.read(upToCount: mebibyte), !block.isEmpty { try to.write(contentsOf: block) }
        try to.synchronize()
        try from.close()
        try to.close()
        let seconds = (MonotonicTime.now - start).inSeconds
        try FileManager.default.removeItem(atPath: target)
        return seconds
    }

    // MARK: - In the driving process

    /// Sends the file beside the socket, and messages one after another until the file has arrived.
    static func drive(_ options: PeerOptions) throws -> Outcome {
        let session = WCSession(configuration: try SessionPeer.configuration(.companion, options))
        let delegate = FileDelegate()
        session.delegate = delegate
        session.activate()
        delegate.reachable.wait()
        let start = MonotonicTime.now
        session.transferFile(URL(filePath: options.socket + ".file").resolvingSymlinksInPath(), metadata: nil)
        delegate.ping(session)
        delegate.finished.wait()
        return Outcome(delegate.latencies, seconds: (MonotonicTime.now - start).inSeconds)
    }
}
