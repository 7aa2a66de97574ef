import WatchConnectivity

/// An app that asks for nothing but Apple's API, and perhaps for a code that its watches must show.
/// With “supported”, it says whether it is a device, and ends.
final class App: NSObject, WCSessionDelegate {
    func session(
        _ session: WCSession, activationDidCompleteWith activationState: WCSessionActivationState, error: (any Error)?
    ) {
        guard CommandLine.arguments.contains("make-code") else { return }
        DispatchQueue.main.async {
            do { say("code \(try session.simulator.makePairingCode())") } catch { say("no code: \(error)") }
        }
    }
}

func say(_ text: String) {
    print(text)
    fflush(stdout)
}

if CommandLine.arguments.contains("supported") {
    say("supported \(WCSession.isSupported())")
    exit(EXIT_SUCCESS)
}
let app = App()
WCSession.default.delegate = app
WCSession.default.activate()
dispatchMain()
