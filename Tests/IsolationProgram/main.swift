import WatchConnectivity

// A watch of the Swift 6 language mode that sends one message as the line on its standard input says: in ways that end the program on a
// device, and in their repaired forms.
let delegate = QuietDelegate()
WCSession.default.delegate = delegate
WCSession.default.activate()

let (courier, screen) = (Courier(), Screen())

nonisolated func say(_ text: String) {
    print(text)
    fflush(nil)
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
    default: say("what is \(form)?")
    }
}

let reader = Thread {
    while let line = readLine() { Task { @MainActor in await perform(line) } }
    exit(0)
}
reader.start()
RunLoop.main.run()
