import Foundation
import Glibc
package import Processes

/// The end of a program; the exit code also reports whether its output was written.
package enum ProgramEnd {
    /// Exits with a code after flushing standard output.
    package static func exit(_ code: ExitCode, _ program: String) -> Never {
        do throws(StandardOutput.Failure) {
            try StandardOutput.flush()
        } catch {
            failed(error, program)
        }
        code.exit()
    }

    /// Prints a message on standard error and exits.
    package static func fail(_ message: String, _ code: ExitCode, _ program: String) -> Never {
        do throws(StandardOutput.Failure) {
            // Earlier output must appear before the message.
            try StandardOutput.flush()
        } catch {
            // The message matters more, but a full disk is reported, too.
            if !error.isClosedPipe { tell("\(program): \(error)") }
        }
        tell("\(program): \(message)")
        code.exit()
    }

    /// Exits because standard output failed: silently, with SIGPIPE, if the reader closed it.
    package static func failed(_ failure: StandardOutput.Failure, _ program: String) -> Never {
        guard failure.isClosedPipe else {
            tell("\(program): \(failure)")
            ExitCode.failure.exit()
        }
        // The parent process may have ignored the signal.
        signal(SIGPIPE, SIG_DFL)
        var pipe = sigset_t()
        sigemptyset(&pipe)
        sigaddset(&pipe, SIGPIPE)
        pthread_sigmask(SIG_UNBLOCK, &pipe, nil)
        raise(SIGPIPE)
        ExitCode.failure.exit()
    }

    private static func tell(_ line: String) { FileHandle.standardError.write(Data((line + "\n").utf8)) }
}
