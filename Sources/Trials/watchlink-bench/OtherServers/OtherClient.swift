import CPeerClients
import Foundation
import LinkProtocol

/// The driver's side of a server of another project: a client in C keeps requests in flight, and each answer is timed here.
enum OtherClient {
    /// Precedes a protocol's name in the name of its driver.
    static let prefix = "other-"
    static let zeroMQ = "zeromq"

    /// - Parameter name: The name of a protocol.
    static func drive(_ name: String, _ options: PeerOptions) throws -> Outcome {
        var pace = Pace(seconds: options.seconds)
        let payload = try BenchQuiz.payload()
        let error = withUnsafeMutablePointer(to: &pace) { pace in
            payload.withUnsafeBytes { bytes in
                var load = watchlink_load(
                    payload: bytes.bindMemory(to: UInt8.self).baseAddress, payload_bytes: bytes.count,
                    in_flight: UInt32(options.outstanding),
                    answered: { context, sentAt in
                        context?.assumingMemoryBound(to: Pace.self).pointee
                            .received(sentAt: MonotonicTime(nanoseconds: sentAt)) ?? false
                    }, context: UnsafeMutableRawPointer(pace))
                return name == zeroMQ
                    ? watchlink_drive_zeromq(options.socket, &load)
                    : watchlink_drive_stream(name, options.socket, &load)
            }
        }
        if let error { throw BenchError("\(name): \(String(cString: error))") }
        return pace.outcome
    }

    /// Answers requests over ZeroMQ with the acknowledgement of a quiz.
    static func serveZeroMQ(_ options: PeerOptions) throws -> Never {
        let reply = try BenchQuiz.acknowledgement()
        let error = reply.withUnsafeBytes { bytes in
            watchlink_serve_zeromq(options.socket, bytes.bindMemory(to: UInt8.self).baseAddress, bytes.count) {
                Ready.say()
            }
        }
        throw BenchError(error.map { String(cString: $0) } ?? "ZeroMQ ended")
    }
}
