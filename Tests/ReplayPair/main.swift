import Foundation
import WatchConnectivity

// Pairs of apps, for replays of cassettes: “library”, “runner”, “post”, “team”, “meter” and “gym” by the first argument, the phone's or the watch's app by
// WATCHLINK_ROLE. The option --change makes a build that differs from the recorded one in one way; with --switches, the team's phone changes
// its watches, as a person does.

let arguments = Array(CommandLine.arguments.dropFirst())
let change = Change(arguments)
let isPhone = ProcessInfo.processInfo.environment["WATCHLINK_ROLE"] == "host"
let app: App =
    switch arguments.first {
    case "library": isPhone ? Library(change) : Reader(change)
    case "team": isPhone ? Coach(change, switches: arguments.contains("--switches")) : Athlete(change)
    case "meter": isPhone ? App(change) : Meter(change)
    case "gym": isPhone ? Board(change) : Burst(change)
    case "post": isPhone ? Office(change) : Carrier(change)
    default: isPhone ? Trainer(change) : Runner(change)
    }
WCSession.default.delegate = app
WCSession.default.activate()
RunLoop.main.run()
