import Foundation
import Glibc
import Locking

/// A service manager's end of the notification protocol: a datagram socket, and what came.
final class NotifySocket: Sendable {
    let path: String
    private let descriptor: Int32
    private let state = Mutex<[String]>([])
    private let arrived = DispatchSemaphore(value: 0)

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
        let (owner, signal, number) = (self, arrived, descriptor)
        let thread = Thread {
            var buffer = [UInt8](repeating: 0, count: 4_096)
            while case let count = recv(number, &buffer, buffer.count, 0), count > 0 {
                owner.add(String(decoding: buffer[..<count], as: UTF8.self))
                signal.signal()
            }
        }
        thread.start()
    }

    private func add(_ message: String) { state.withLock { $0.append(message) } }

    var messages: [String] { state.withLock { $0 } }

    /// Waits until what came satisfies a condition.
    func wait(_ condition: ([String]) -> Bool) -> Bool {
        let limit = DispatchTime.now() + TestBench.limit
        while !condition(messages) {
            if arrived.wait(timeout: limit) == .timedOut { return condition(messages) }
        }
        return true
    }
}
