import Foundation
import Glibc
import TestSupport

/// A service manager's end of the notification protocol: a datagram socket and the received messages.
final class NotifySocket: Sendable {
    let path: String
    private let descriptor: Int32
    let messages = Collector<String>()

    init(_ path: String) throws {
        self.path = path
        descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        let result = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        guard descriptor >= 0, result == 0 else { throw POSIXError(.EIO) }
        let (messages, number) = (messages, descriptor)
        let thread = Thread {
            var buffer = [UInt8](repeating: 0, count: 4_096)
            while case let count = recv(number, &buffer, buffer.count, 0), count > 0 {
                messages.add(String(decoding: buffer[..<count], as: UTF8.self))
            }
        }
        thread.start()
    }
}
