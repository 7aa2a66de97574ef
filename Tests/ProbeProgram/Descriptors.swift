import CProbe
import CVirtualTime
import Foundation

extension Construct {
    /// Sockets, pipes and what waits for them.
    static let descriptors = [
        Construct("large-messages") { probe_large_messages() },
        Construct("socket-timeouts") { probe_socket_timeouts() },
        Construct("temporary-names") { probe_temporary_names() },
        Construct("closing-all") { probe_closing_all() },
        Construct("sockets") {
            var ends: [Int32] = [0, 0]
            socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends)
            let near = ends[0]
            let far = ends[1]
            Thread.detachNewThread {
                var byte: UInt8 = 0
                read(near, &byte, 1)
                trace("read \(byte)")
                byte += 1
                write(near, &byte, 1)
            }
            nonisolated(unsafe) let source = DispatchSource.makeReadSource(fileDescriptor: far, queue: .main)
            source.setEventHandler {
                var byte: UInt8 = 0
                read(far, &byte, 1)
                trace("source read \(byte)")
                source.cancel()
                finish()
            }
            source.resume()
            DispatchQueue.global().asyncAfter(deadline: .now() + 30) {
                var byte: UInt8 = 41
                write(far, &byte, 1)
            }
        },
        // More than a pipe holds: the writer waits for the reader, in the world.
        Construct("pipes") {
            let pipe = Pipe()
            Thread.detachNewThread {
                try? pipe.fileHandleForWriting.write(contentsOf: Data(repeating: 7, count: 300_000))
                trace("written")
                try? pipe.fileHandleForWriting.close()
            }
            Thread.detachNewThread {
                var count = 0
                while let part = try? pipe.fileHandleForReading.read(upToCount: 70_000), !part.isEmpty {
                    count += part.count
                }
                trace("read \(count)")
                finish()
            }
        },
    ]
}
