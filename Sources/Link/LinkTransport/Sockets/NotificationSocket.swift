package import Files
import Glibc

/// Where a service manager hears how a service is: the datagram socket of sd_notify(3).
package struct NotificationSocket: Sendable {
    private let path: String

    /// - Parameter path: As `$NOTIFY_SOCKET` gives it: absolute, or with “@” for the abstract namespace.
    package init(path: String) { self.path = path }

    package func send(_ text: String) throws(SystemError) {
        try UnixSocket.sendDatagram(text, to: path)
    }
}
