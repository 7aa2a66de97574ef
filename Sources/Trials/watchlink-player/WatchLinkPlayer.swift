import CassetteReplay
import Cassettes
import Foundation
import Processes
import ServiceRuntime
import Trials
import WatchConnectivity

/// A program that is the counterpart of a replayed app: it does what the cassette says, as an app of its own.
@main
enum WatchLinkPlayer {
    static func main() {
        ToolProgram.run("watchlink-player", options: CounterpartWords.options, help: help) { parsed in
            guard let path = parsed["cassette"], let side = parsed["side"], let control = parsed["control"] else {
                throw UsageError("--cassette, --side and --control are required; users call “watchlink replay”")
            }
            guard let tape = AppTape(try Cassette(at: path), side: side) else {
                throw UsageError("\(path) has no events of the \(side)")
            }
            let counterpart = Counterpart(Play(tape), control: control)
            counterpart.start()
            // Otherwise its world ends it.
            if parsed.has(CounterpartWords.leave) { counterpart.done.wait() } else { RunLoop.main.run() }
            return .success
        }
    }

    private static func help(_ parser: OptionParser) -> String {
        """
        watchlink-player: \(CounterpartWords.purpose).
        “watchlink replay” starts it.

        Options:
        \(parser.help)
        """
    }
}
