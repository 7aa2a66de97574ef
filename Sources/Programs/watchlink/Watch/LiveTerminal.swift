import Foundation
import Glibc
import Synchronization

/// A terminal in full-screen mode that reads single keys. Its former state is restored, however the program ends.
final class LiveTerminal {
    /// Set by a signal; a C handler cannot capture an instance.
    private static let isInterrupted = Atomic(false)

    private var former = termios()

    /// Enters full-screen mode; nil if standard input or output is not a terminal.
    init?() {
        guard isatty(STDOUT_FILENO) == 1, isatty(STDIN_FILENO) == 1, tcgetattr(STDIN_FILENO, &former) == 0 else {
            return nil
        }
        var live = former
        live.c_lflag &= ~tcflag_t(ECHO | ICANON)
        // Suspending the program (Ctrl-Z) would leave the shell in full-screen mode.
        live.c_cc.10 = 0
        tcsetattr(STDIN_FILENO, TCSAFLUSH, &live)
        for number in [SIGINT, SIGTERM, SIGHUP] {
            // Without SA_RESTART, so that poll returns.
            var action = sigaction()
            action.__sigaction_handler.sa_handler = { _ in LiveTerminal.isInterrupted.store(true, ordering: .relaxed) }
            sigaction(number, &action, nil)
        }
        // Switch to the alternate screen, hide the cursor.
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

    /// Shows lines that the caller has cut to the screen's width.
    func show(_ lines: [String]) {
        write("\u{1B}[H" + lines.map { $0 + "\u{1B}[K" }.joined(separator: "\r\n") + "\u{1B}[J")
    }

    /// Waits for a key, up to a time limit.
    ///
    /// - Returns: True if a key or a signal asks to quit.
    func waitForEnd(_ milliseconds: Int32) -> Bool {
        var input = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
        let count = poll(&input, 1, milliseconds)
        if Self.isInterrupted.load(ordering: .relaxed) { return true }
        guard count > 0 else { return false }
        var key: UInt8 = 0
        let length = read(STDIN_FILENO, &key, 1)
        // Quit on q, Ctrl-D, Escape and the end of the input.
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
