import Foundation
import Glibc
package import Processes

/// How a program ends, so that its exit code is true of its output as well.
package enum ProgramEnd {
    /// Ends with a code, once all output is written.
    package static func exit(_ code: ExitCode, _ program: String) -> Never {
        do throws(StandardOutput.Failure) {
            try StandardOutput.flush()
        } catch {
            failed(error, program)
        }
        code.exit()
    }

    /// Ends with a message on standard error.
    package static func fail(_ message: String, _ code: ExitCode, _ program: String) -> Never {
        do throws(StandardOutput.Failure) {
            // What was printed before stands before the message.
            try StandardOutput.flush()
        } catch {
            // The message says more; a full disk is told as well.
            if !error.isClosedPipe { tell("\(program): \(error)") }
        }
        tell("\(program): \(message)")
        code.exit()
    }

    /// Ends because nothing more can be printed: without a word if nobody reads.
    package static func failed(_ failure: StandardOutput.Failure, _ program: String) -> Never {
        guard failure.isClosedPipe else {
            tell("\(program): \(failure)")
            ExitCode.failure.exit()
        }
        // As if the signal had not been ignored by whoever started the program.
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
