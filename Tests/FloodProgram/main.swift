import Foundation
import LinkTransport
import ServiceRuntime

// Opens so many connections to a socket, says so, and holds them until its input ends. A program of its own: Foundation reads
// beyond a buffer when a process with a thousand open files starts another.
OpenFiles.raiseLimit()
let path = CommandLine.arguments[1]
let streams = try (0..<(Int(CommandLine.arguments[2]) ?? 0)).map { _ in
    try BlockingStream(connectingTo: path, timeout: nil)
}
FileHandle.standardError.write(Data("open: \(streams.count)\n".utf8))
while readLine() != nil {}
