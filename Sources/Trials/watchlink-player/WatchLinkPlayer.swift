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
            let play = try watch(parsed).map { Play(tape, of: $0) } ?? Play(tape)
            let counterpart = Counterpart(
                try change(parsed).map(play.changed) ?? play, control: control, isOfWatch: side == "watch",
                watches: tape.watches.known, file: parsed["file"].map { URL(filePath: $0) })
            counterpart.start()
            // Otherwise its world ends it.
            if parsed.has(CounterpartWords.leave) { counterpart.done.wait() } else { RunLoop.main.run() }
            return .success
        }
    }

    /// Returns the number of the watch that is played; nil for a phone, or the only watch.
    private static func watch(_ options: ParsedOptions) throws(UsageError) -> Int? {
        guard let text = options["watch"] else { return nil }
        guard let number = Int(text) else { throw UsageError("--watch “\(text)” must be a number") }
        return number
    }

    /// Returns the value that is played in place of a recorded one; nil if there is none.
    private static func change(_ options: ParsedOptions) throws(UsageError) -> PlayChange? {
        guard let event = options["event"] else { return nil }
        guard let event = Int(event), let path = options["key-path"], let leaf = options["leaf"] else {
            throw UsageError("--event needs a number, and --key-path and --leaf beside it")
        }
        return PlayChange(event: event, path: path, leaf: leaf)
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
