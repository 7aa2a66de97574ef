import CLinux
import Foundation
import Processes
import ServiceRuntime

/// The roles of processes started by this program.
enum PeerRole {
    static func run(_ words: [String]) throws -> Never {
        guard words.count == 3 else {
            throw UsageError("\(words.joined(separator: " ")): for internal use by this program")
        }
        let options = try PeerOptions(argument: words[2])
        OpenFiles.raiseLimit()
        signal(SIGPIPE, SIG_IGN)
        // Before any thread is started, as threads inherit the affinity.
        if options.isPinned { _ = watchlink_pin(0) }
        words[0] == "serve" ? try serve(words[1], options) : try drive(words[1], options)
    }

    private static func serve(_ name: String, _ options: PeerOptions) throws -> Never {
        switch name {
        case "raw": try RawPeer.serve(options)
        case "raw-fan-in": try RawFanIn.serve(options)
        case "raw-sqlite": try serveSQLite(options, key: .integer)
        case "raw-sqlite-text": try serveSQLite(options, key: .text)
        case "link": try LinkPeer.serve(options)
        case OtherClient.zeroMQ: try OtherClient.serveZeroMQ(options)
        case "session": try SessionPeer.serve(options, reply: try BenchQuiz.acknowledgement())
        case "session-dictionary":
            try SessionPeer.serve(options, reply: try BenchDictionary.data(BenchDictionary.acknowledgement))
        default: throw UsageError("unknown server “\(name)”")
        }
    }

    private static func serveSQLite(_ options: PeerOptions, key: SQLiteReference.Key) throws -> Never {
        let store = try SQLiteReference(path: "\(options.socket).sqlite", archive: try BenchQuiz.payload(), key: key)
        try RawPeer.serve(options, handling: store.insert)
    }

    private static func drive(_ name: String, _ options: PeerOptions) throws -> Never {
        switch name {
        case "raw": print(try RawPeer.drive(options))
        case "link": print(try LinkPeer.drive(options))
        case "session":
            let payload = try BenchQuiz.payload()
            print(try SessionPeer.drive(options) { payload })
        case "session-recorded":
            let payload = try BenchQuiz.payload()
            write(try SessionPeer.driveRecorded(options) { payload })
        case "session-data":
            let payload = try BenchDictionary.data(BenchDictionary.quiz)
            print(try SessionPeer.drive(options) { payload })
        case "session-dictionary": print(try SessionPeer.driveDictionaries(options))
        case "durable": print(try DurableBenchmark.drive(options))
        case "submit": print(try DurableBenchmark.driveOutbox(options))
        case "raw-fan-in": print(try RawFanIn.drive(options))
        case "fan-in": print(try FanInDriver.drive(options))
        case "file": print(try FileBenchmark.drive(options))
        case let other where other.hasPrefix(OtherClient.prefix):
            print(try OtherClient.drive(String(other.dropFirst(OtherClient.prefix.count)), options))
        default: throw UsageError("unknown driver “\(name)”")
        }
        ExitCode.success.exit()
    }

    static func print(_ outcome: Outcome) {
        var outcome = outcome
        outcome.peakBytes = ProcessFigures.ownPeakBytes
        write(outcome)
    }

    private static func write(_ outcome: some Encodable) {
        // Numbers can always be encoded.
        let data = (try? JSONEncoder().encode(outcome)) ?? Data()
        FileHandle.standardOutput.write(data)
    }
}
