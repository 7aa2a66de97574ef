import Foundation
import Glibc
import Synchronization

/// A terminal that shows one screen after the other and reads single keys. It is left as it was, whatever ends the program.
final class LiveTerminal {
    /// Set by a signal; the C handler can reach nothing else.
    private static let isInterrupted = Atomic(false)

    private var former = termios()

    /// Nil if standard input or output is no terminal.
    init?() {
        guard isatty(STDOUT_FILENO) == 1, isatty(STDIN_FILENO) == 1, tcgetattr(STDIN_FILENO, &former) == 0 else {
            return nil
        }
        var live = former
        live.c_lflag &= ~tcflag_t(ECHO | ICANON)
        // Stopping it in the middle would leave the screen to the shell.
        live.c_cc.10 = 0
        tcsetattr(STDIN_FILENO, TCSAFLUSH, &live)
        for number in [SIGINT, SIGTERM, SIGHUP] {
            // Without SA_RESTART, so that waiting for a key ends.
            var action = sigaction()
            action.__sigaction_handler.sa_handler = { _ in LiveTerminal.isInterrupted.store(true, ordering: .relaxed) }
            sigaction(number, &action, nil)
        }
        // The other screen, no cursor.
        write("\u{1B}[?1049h\u{1B}[?25l")
    }

    func restore() {
        write("\u{1B}[?25h\u{1B}[?1049l")
        tcsetattr(STDIN_FILENO, TCSAFLUSH, &former)
    }

    var size: (columns: Int, rows: Int) {
        var size = winsize()
        guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return (80, 24) }
        return (Int(size.ws_col), Int(size.ws_row))
    }

    /// Shows lines, each cut by the caller to the screen's width.
    func show(_ lines: [String]) {
        write("\u{1B}[H" + lines.map { $0 + "\u{1B}[K" }.joined(separator: "\r\n") + "\u{1B}[J")
    }

    /// Waits for a key, up to a time.
    ///
    /// - Returns: Whether the person, or a signal, wants an end.
    func waitForEnd(_ milliseconds: Int32) -> Bool {
        var input = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
        let count = poll(&input, 1, milliseconds)
        if Self.isInterrupted.load(ordering: .relaxed) { return true }
        guard count > 0 else { return false }
        var key: UInt8 = 0
        let length = read(STDIN_FILENO, &key, 1)
        // Ctrl-D, escape, and the end of the input.
        return length <= 0 || [UInt8(ascii: "q"), 4, 27].contains(key)
    }

    private func write(_ text: String) {
        let bytes = Array(text.utf8)
        var sent = 0
        while sent < bytes.count {
            let count = bytes[sent...].withUnsafeBytes { Glibc.write(STDOUT_FILENO, $0.baseAddress, $0.count) }
            guard count > 0 || errno == EINTR else { return }
            sent += max(count, 0)
        }
    }
}
