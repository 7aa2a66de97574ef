import Foundation

/// The words of the command line.
struct Options {
    var folders: [String] = []
    var seed = UInt64.random(in: 1...999_999)
    var count = 500
    var seconds: Double?
    var simulatedSeeds: Int?
    var lists = false
    var jobs = ProcessInfo.processInfo.activeProcessorCount
    var least: Double?
    var package = URL(filePath: FileManager.default.currentDirectoryPath)

    static let standard = [
        "Sources/Ground/KeyedArchive", "Sources/Link", "Sources/Device", "Sources/Records/RecordStorage",
        "Sources/Records/RecordSync", "Sources/Quiz",
    ]

    /// The folders that the simulation exercises.
    static let rules = ["Sources/Link/LinkProtocol", "Sources/Device/DeviceEngine", "Sources/Records/RecordSync"]

    static let help = """
        usage: Tests/Mutation/run [--seed N] [--count N] [--for SECONDS] [--jobs N] [--least PERCENT] [FOLDER…]

        Plants faults in the sources, one at a time, and runs the quick tests that reach each: a comparison flipped, a bound off by one,
        a guard dropped, a statement dropped, two enum cases swapped, an error or a result ignored. Names every fault that no test noticed.

          --seed N         draw the same faults again (default: at random, and printed)
          --count N        faults to draw (default: 500)
          --for SECONDS    stop trying faults after this time; those left are not counted
          --simulate N     have N seeds of watchlink-simulate look for the faults in place of the tests
          --jobs N         runs at the same time (default: one for each processor)
          --list           print every place with the name by which equivalents.txt knows it, and plant nothing
          --least PERCENT  exit with 3 if fewer of the faults are caught
          FOLDER           where to plant, relative to the package (default: \(standard.joined(separator: " ")))

        Faults that change nothing are listed in Tests/Mutation/equivalents.txt, each with its reason.

        examples:
          Tests/Mutation/run                                    500 faults, half an hour or so
          Tests/Mutation/run --count 60 Sources/Link            sixty in the link
          Tests/Mutation/run --seed 7 --for 180 --least 80      as the gate does it
        """

    init(_ words: [String]) throws {
        var rest = words[...]
        func value<Value: LosslessStringConvertible>(_ option: String) throws -> Value {
            guard let word = rest.popFirst(), let value = Value(word) else {
                throw PlanterError(description: "\(option) needs a number; see --help")
            }
            return value
        }
        while let word = rest.popFirst() {
            switch word {
            case "--seed": seed = try value(word)
            case "--count": count = try value(word)
            case "--for": seconds = try value(word)
            case "--simulate": simulatedSeeds = try value(word)
            case "--list": lists = true
            case "--jobs": jobs = max(1, try value(word))
            case "--least": least = try value(word)
            case _ where word.hasPrefix("-"): throw PlanterError(description: "unknown option “\(word)”; see --help")
            default: folders.append(word.hasSuffix("/") ? String(word.dropLast()) : word)
            }
        }
        if folders.isEmpty { folders = simulatedSeeds == nil ? Self.standard : Self.rules }
    }
}
