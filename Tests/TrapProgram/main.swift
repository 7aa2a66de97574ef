import WatchConnectivity

// An app of the Swift 6 language mode with the ways in which apps trap on devices, and their repaired forms. Its words name what it does; the
// word “repaired” selects the repaired forms.
let words = Set(CommandLine.arguments.dropFirst())
let isRepaired = words.contains("repaired")

let delegates: [String: any WCSessionDelegate] = [
    "preconcurrency": isRepaired ? HoppingModel() : PreconcurrencyModel(),
    "isolated": isRepaired ? HoppingModel() : IsolatedModel(),
    "assume": isRepaired ? HoppingModel() : AssumingDelegate(),
    "queue": isRepaired ? HoppingModel() : QueueDelegate(),
]
let delegate = delegates.first { words.contains($0.key) }?.value ?? SendingDelegate()
WCSession.default.delegate = delegate
WCSession.default.activate()
RunLoop.main.run()
