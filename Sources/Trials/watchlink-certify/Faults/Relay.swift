import DatabaseServers
import Files
import Foundation
import Glibc
import Locking
import Processes

/// A relay between clients and a server on Unix sockets, which can cut or stall a connection after any byte.
// Proof of `@unchecked Sendable`: the state is used under its lock; descriptors belong to the threads of a connection.
final class Relay: @unchecked Sendable {
    enum Direction: Sendable, CaseIterable {
        case toServer
        case toClient
    }

    /// The end of a connection.
    enum Fault: Sendable {
        /// Both sides see the connection's end.
        case cut
        /// Nothing passes any more, and neither side is told.
        case stall
        /// A process is killed; then the connection is cut.
        case kill(BackgroundProcess)
    }

    /// A fault that waits for a byte of the next connection.
    struct Plan: Sendable {
        let direction: Direction
        let bytes: Int
        let fault: Fault
    }

    private struct State {
        var plan: Plan?
        var passed: [Direction: Int] = [:]
        var hasStruck = false
    }

    /// The directory of its socket.
    let sockets: String
    private let server: String
    private let listener: Int32
    private let state = Mutex(State())

    /// Listens in a directory, and relays to the socket in another.
    init(in sockets: String, to server: String) throws {
        self.sockets = sockets
        self.server = "\(server)/.s.PGSQL.\(LocalServer.socketPort)"
        guard mkdir(sockets, 0o700) == 0 else { throw SystemError("make", on: sockets) }
        listener = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        guard listener >= 0 else { throw SystemError("create", on: "a socket") }
        let path = "\(sockets)/.s.PGSQL.\(LocalServer.socketPort)"
        guard Self.withAddress(path, { bind(listener, $0, $1) }) == 0, listen(listener, 64) == 0 else {
            throw SystemError("listen on", on: path)
        }
        Thread.detachNewThread { [weak self, listener] in
            while true {
                let client = accept(listener, nil, nil)
                guard client >= 0, let self else {
                    if client >= 0 { close(client) }
                    return
                }
                self.connect(client)
            }
        }
    }

    deinit {
        shutdown(listener, Int32(SHUT_RDWR))
        close(listener)
    }

    private static func withAddress(
        _ path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32
    ) -> Int32 {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8.prefix($0.count - 1)) }
        return withUnsafePointer(to: address) { address in
            address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
    }

    /// Sets the fault of the connections from now on; the first that reaches it is struck, and the others pass.
    func expect(_ plan: Plan?) { state.withLock { $0 = State(plan: plan) } }

    /// The bytes that have passed since the last ``expect(_:)``.
    func passed(_ direction: Direction) -> Int { state.withLock { $0.passed[direction] ?? 0 } }

    /// True if the expected fault has occurred.
    var hasStruck: Bool { state.withLock { $0.hasStruck } }

    private func connect(_ client: Int32) {
        let upstream = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        guard upstream >= 0, Self.withAddress(server, { Glibc.connect(upstream, $0, $1) }) == 0 else {
            close(upstream)
            close(client)
            return
        }
        let shared = Ends(client, upstream)
        for (direction, from, to) in [(Direction.toServer, client, upstream), (.toClient, upstream, client)] {
            Thread.detachNewThread { [self] in
                pump(direction, from, to)
                shutdown(from, Int32(SHUT_RDWR))
                shutdown(to, Int32(SHUT_RDWR))
                shared.release()
            }
        }
    }

    /// Closes both descriptors when the second direction has ended.
    private final class Ends: Sendable {
        private let users = Mutex(2)
        private let client: Int32
        private let upstream: Int32

        init(_ client: Int32, _ upstream: Int32) { (self.client, self.upstream) = (client, upstream) }

        func release() {
            let left = users.withLock { users in
                users -= 1
                return users
            }
            guard left == 0 else { return }
            close(client)
            close(upstream)
        }
    }

    private func pump(_ direction: Direction, _ from: Int32, _ to: Int32) {
        var buffer = [UInt8](repeating: 0, count: 64 * 1_024)
        while true {
            let count = recv(from, &buffer, buffer.count, 0)
            guard count > 0 else { return }
            let (allowed, fault) = pass(count, direction)
            var sent = 0
            while sent < allowed {
                let more = buffer[sent..<allowed].withUnsafeBytes {
                    send(to, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
                }
                guard more > 0 else { return }
                sent += more
            }
            switch fault {
            case nil: break
            case .cut: return
            case .kill(let process):
                process.signal(SIGKILL)
                return
            case .stall:
                // Until the sender gives up.
                while recv(from, &buffer, buffer.count, 0) > 0 {}
                return
            }
        }
    }

    /// Counts bytes, and returns how many may pass before a fault.
    private func pass(_ count: Int, _ direction: Direction) -> (Int, Fault?) {
        state.withLock { state in
            let before = state.passed[direction] ?? 0
            state.passed[direction] = before + count
            guard let plan = state.plan, plan.direction == direction, before + count >= plan.bytes else {
                return (count, nil)
            }
            state.plan = nil
            state.hasStruck = true
            return (max(plan.bytes - before, 0), plan.fault)
        }
    }
}
