package import Files
import Glibc

/// A datagram socket of another process, such as the service manager's or the journal's. Each datagram opens its own
/// connection, so a restarted receiver is found again.
package struct DatagramSocket: Sendable {
    private let path: String

    /// Creates a reference to the socket.
    ///
    /// - Parameter path: An absolute path, or “@” and an abstract name.
    package init(path: String) { self.path = path }

    /// Sends one datagram without waiting.
    package func send(_ bytes: [UInt8]) throws(SystemError) { try UnixSocket.sendDatagram(bytes, to: path) }
}
