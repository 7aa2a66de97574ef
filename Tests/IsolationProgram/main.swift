import Foundation
import WatchConnectivity

// A watch of the Swift 6 language mode that sends one message as the line on its standard input says: in ways that end
// the program on a device, and in their repaired forms. Its words: “isolated” for a delegate of the main actor's, and
// “dispatchMain” for a main queue that any thread serves.
let words = Set(CommandLine.arguments.dropFirst())
let delegate: any WCSessionDelegate = words.contains("isolated") ? IsolatedDelegate() : QuietDelegate()
WCSession.default.delegate = delegate
WCSession.default.activate()

let (clerk, courier, screen) = (Clerk(), Courier(), Screen())

nonisolated func say(_ text: String) {
    // Not print: flushing its buffer would wait for the thread that reads a line.
    FileHandle.standardOutput.write(Data((text + "\n").utf8))
}

@MainActor
func perform(_ form: String) async {
    switch form {
    case "actor": await courier.send()
    case "actor-sendable": await courier.sendFree()
    case "actor-hop": await courier.sendAndHop()
    case "actor-nonisolated": courier.sendFromOutside()
    case "main": screen.send()
    case "main-data": screen.sendData()
    case "main-hop": screen.sendAndHop()
    case "main-nonisolated": screen.sendFromOutside()
    case "main-many": for _ in 0...200 { screen.send() }
    case "main-queue": screen.noteOnMainQueue()
    case "own-executor": await clerk.send()
    case "near-limit": WCSession.default.sendMessageData(Data(count: 60_000), replyHandler: nil)
    case "trap": courier.sendAndTrap()
    case "block": courier.sendAndBlock()
    default: say("what is \(form)?")
    }
}

let reader = Thread {
    while let line = readLine() { Task { @MainActor in await perform(line) } }
    exit(0)
}
reader.start()
if words.contains("dispatchMain") { dispatchMain() }
RunLoop.main.run()
