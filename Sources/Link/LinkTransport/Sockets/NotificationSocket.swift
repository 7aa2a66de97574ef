package import Files
import Glibc

/// The service manager's socket for status notifications: the datagram socket of sd_notify(3).
package struct NotificationSocket: Sendable {
    private let path: String

    /// Creates a reference to the socket.
    ///
    /// - Parameter path: The value of `$NOTIFY_SOCKET`: an absolute path, or “@” and an abstract name.
    package init(path: String) { self.path = path }

    package func send(_ text: String) throws(SystemError) {
        try UnixSocket.sendDatagram(text, to: path)
    }
}
