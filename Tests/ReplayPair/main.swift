import Foundation
import WatchConnectivity

// Two pairs of apps, for replays of cassettes: “library” and “runner” by the first argument, the phone's or the watch's app by WATCHLINK_ROLE. The
// option --change makes a build that differs from the recorded one in one way.

let arguments = Array(CommandLine.arguments.dropFirst())
let change = Change(arguments)
let isPhone = ProcessInfo.processInfo.environment["WATCHLINK_ROLE"] == "host"
let isLibrary = arguments.first == "library"
let app: App = isPhone ? isLibrary ? Library(change) : Trainer(change) : isLibrary ? Reader(change) : Runner(change)
WCSession.default.delegate = app
WCSession.default.activate()
RunLoop.main.run()
