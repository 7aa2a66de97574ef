import CLinux
package import Files
import Glibc

/// The system calls of Unix sockets, with typed errors.
public enum UnixSocket {
    /// The connections that the kernel queues until they are accepted. The kernel caps it (net.core.somaxconn).
    private static let backlog: Int32 = 4096
    /// The longest path of a socket, in bytes: the size of the system's address field minus the terminating zero.
    public static let longestPath = MemoryLayout.size(ofValue: sockaddr_un().sun_path) - 1

    /// Returns a listening socket whose file has the given permissions.
    package static func listen(at path: String, mode: UInt32) throws(SystemError) -> Descriptor {
        let descriptor = try make(flags: Int32(SOCK_NONBLOCK.rawValue))
        let result = try withAddress(path) { bind(descriptor.number, $0, $1) }
        guard result == 0 else { throw SystemError("bind", on: path) }
        guard chmod(path, mode) == 0 else { throw SystemError("chmod", on: path) }
        guard Glibc.listen(descriptor.number, backlog) == 0 else { throw SystemError("listen at", on: path) }
        return descriptor
    }

    /// Returns the next waiting connection; nil if there is none.
    package static func accept(_ listener: borrowing Descriptor) throws(SystemError) -> Descriptor? {
        let number = listener.number
        let result = retryingInterrupts { watchlink_accept(number) }
        if result >= 0 { return Descriptor(result) }
        switch errno {
        // The peer may have disconnected before it was accepted.
        case EAGAIN, ECONNABORTED: return nil
        default: throw SystemError("accept on", on: "the listening socket")
        }
    }

    /// Returns a connected socket.
    package static func connect(to path: String, blocking: Bool) throws(SystemError) -> Descriptor {
        let descriptor = try make(flags: blocking ? 0 : Int32(SOCK_NONBLOCK.rawValue))
        let result = try withAddress(path) { address, length in
            retryingInterrupts { Glibc.connect(descriptor.number, address, length) }
        }
        guard result == 0 else { throw SystemError("connect to", on: path) }
        return descriptor
    }

    /// Configures an inherited listening socket for this process.
    ///
    /// - Returns: The path to which it is bound.
    static func adopt(_ number: Int32) throws(SystemError) -> String {
        let name = "inherited descriptor \(number)"
        for (option, expected) in [(SO_DOMAIN, AF_UNIX), (SO_TYPE, Int32(SOCK_STREAM.rawValue)), (SO_ACCEPTCONN, 1)] {
            var (value, length): (Int32, socklen_t) = (0, socklen_t(MemoryLayout<Int32>.size))
            guard getsockopt(number, SOL_SOCKET, option, &value, &length) == 0 else {
                throw SystemError("use", on: "\(name) as a socket")
            }
            guard value == expected else {
                throw SystemError("use", on: "\(name) as a listening Unix stream socket", code: EINVAL)
            }
        }
        guard fcntl(number, F_SETFD, FD_CLOEXEC) == 0, fcntl(number, F_SETFL, fcntl(number, F_GETFL) | O_NONBLOCK) == 0
        else { throw SystemError("set up", on: name) }
        var address = sockaddr_un()
        var length = socklen_t(MemoryLayout<sockaddr_un>.size)
        let result = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(number, $0, &length) }
        }
        guard result == 0 else { throw SystemError("find the path of", on: name) }
        return withUnsafeBytes(of: address.sun_path) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    }

    /// Sends one datagram without waiting.
    static func sendDatagram(_ bytes: [UInt8], to path: String) throws(SystemError) {
        let descriptor = try make(SOCK_DGRAM, flags: Int32(SOCK_NONBLOCK.rawValue))
        let count = try withAddress(path) { address, length in
            retryingInterrupts {
                Int32(sendto(descriptor.number, bytes, bytes.count, Int32(MSG_NOSIGNAL), address, length))
            }
        }
        guard count == Int32(bytes.count) else { throw SystemError("send to", on: path) }
    }

    private static func make(_ type: __socket_type = SOCK_STREAM, flags: Int32) throws(SystemError) -> Descriptor {
        try Descriptor(
            made: socket(AF_UNIX, Int32(type.rawValue | SOCK_CLOEXEC.rawValue) | flags, 0), "a Unix socket")
    }

    private static func withAddress(
        _ path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32
    ) throws(SystemError) -> Int32 {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        // A longer path would be truncated silently.
        guard path.utf8.count <= longestPath else {
            throw SystemError("use", on: "\(path) as a socket path", code: ENAMETOOLONG)
        }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        // A leading “@” stands for the zero byte of the abstract namespace, whose names have no terminator.
        let isAbstract = path.hasPrefix("@")
        if isAbstract { address.sun_path.0 = 0 }
        let length = isAbstract ? MemoryLayout<sa_family_t>.size + path.utf8.count : MemoryLayout<sockaddr_un>.size
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, socklen_t(length)) }
        }
    }
}
