import Files
import Foundation
import Glibc
import LinkTransport
import ServiceRuntime

// Opens so many connections to a socket, says so, and holds them until its input ends. On each it announces a frame of so many
// bytes, if it is told how many, and sends all of it but one. A program of its own: Foundation reads beyond a buffer when a
// process with a thousand open files starts another.
OpenFiles.raiseLimit()
let path = CommandLine.arguments[1]
let streams = try (0..<(Int(CommandLine.arguments[2]) ?? 0)).map { _ in
    try BlockingStream(connectingTo: path, timeout: nil)
}
if CommandLine.arguments.count > 3, let announced = UInt32(CommandLine.arguments[3]) {
    let bytes = withUnsafeBytes(of: announced.bigEndian) { Data($0) } + Data(count: Int(announced) - 1)
    for stream in streams {
        do {
            try stream.write(bytes)
        } catch {
            // To be turned away is as it should be.
            guard error.code == EPIPE || error.code == ECONNRESET else { throw error }
        }
    }
}
FileHandle.standardError.write(Data("open: \(streams.count)\n".utf8))
while readLine() != nil {}
