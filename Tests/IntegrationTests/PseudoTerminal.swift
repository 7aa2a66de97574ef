import Foundation
import Glibc
import Testing

/// A terminal for a program's standard error, as a user would see it.
final class PseudoTerminal {
    /// The end for the program.
    let end: FileHandle
    private let screen: FileHandle
    private(set) var text = ""

    init() throws {
        var (master, slave): (Int32, Int32) = (0, 0)
        try #require(openpty(&master, &slave, nil, nil, nil) == 0)
        // Programs that are started meanwhile must not inherit it.
        _ = (fcntl(master, F_SETFD, FD_CLOEXEC), fcntl(slave, F_SETFD, FD_CLOEXEC))
        screen = FileHandle(fileDescriptor: master, closeOnDealloc: true)
        end = FileHandle(fileDescriptor: slave, closeOnDealloc: true)
    }

    /// Feeds a program piece by piece until a text appears: even on a fast machine there is always more to do.
    ///
    /// - Parameter piece: The data of one write, at most what a pipe accepts at once (`PIPE_BUF`).
    /// - Returns: True if the text appeared before the program ended, or stood still for a minute.
    func waitFor(_ part: String, feeding input: FileHandle, _ piece: Data) throws -> Bool {
        while !text.contains(part) {
            var polls = [
                pollfd(fd: screen.fileDescriptor, events: Int16(POLLIN), revents: 0),
                pollfd(fd: input.fileDescriptor, events: Int16(POLLOUT), revents: 0),
            ]
            guard poll(&polls, 2, 60_000) > 0, polls[1].revents & Int16(POLLERR) == 0 else { return false }
            if polls[0].revents != 0 { text += String(decoding: screen.availableData, as: UTF8.self) }
            if polls[1].revents != 0 { try input.write(contentsOf: piece) }
        }
        return true
    }

    /// Reads until a text appears.
    ///
    /// - Returns: True if it appeared within a minute; only a broken program takes longer.
    func waitFor(_ part: String) -> Bool {
        while !text.contains(part) {
            var poll = pollfd(fd: screen.fileDescriptor, events: Int16(POLLIN), revents: 0)
            guard Glibc.poll(&poll, 1, 60_000) == 1 else { return false }
            text += String(decoding: screen.availableData, as: UTF8.self)
        }
        return true
    }
}
