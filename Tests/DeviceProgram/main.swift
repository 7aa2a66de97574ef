import WatchConnectivity
import WatchKit

// A device that does what its arguments say, once its session is activated, and its standard input, a line at a time.
let extensionDelegate = ExtensionDelegate()
WKExtension.shared().delegate = extensionDelegate
let session = WCSession.default
var transfers: [Int: WCSessionUserInfoTransfer] = [:]
var fileTransfers: [String: WCSessionFileTransfer] = [:]
var observations: [NSKeyValueObservation] = []

func say(_ text: String) {
    print(text)
    fflush(stdout)
}

func perform(_ words: [String]) {
    let number = words.count > 1 ? Int(words[1]) ?? 0 : 0
    switch words[0] {
    case "message":
        session.sendMessage(["n": number]) { reply in
            say("got reply \(reply["n"] ?? "")")
        } errorHandler: { error in
            say("message \(number) failed \((error as NSError).code)")
        }
    case "data":
        session.sendMessageData(
            Data(count: number), replyHandler: { say("got reply of \($0.count)") }, errorHandler: nil)
    case "doubles": say("doubles \(checkDoubles())")
    case "activity": say("activity \(WKExtension.shared().applicationState.rawValue)")
    case "context":
        do {
            try session.updateApplicationContext(["n": number])
            say("context \(session.applicationContext["n"] ?? "")")
        } catch {
            say("context failed \((error as NSError).code)")
        }
    case "info": transfers[number] = session.transferUserInfo(["n": number])
    case "keep": session.transferUserInfo(["n": number, "keep": true])
    case "set":
        UserDefaults.standard.set(number, forKey: "kept")
        say("set \(number)")
    case "kept": say("kept \(UserDefaults.standard.integer(forKey: "kept"))")
    case "home":
        let documents = FileManager.default.urls(for: .documentDirectory, in: .userDomainMask).first?.path ?? "-"
        say("home \(NSHomeDirectory()) \(documents) \(NSTemporaryDirectory())")
    case "rooms":
        let kinds: [FileManager.SearchPathDirectory] = [.documentDirectory, .cachesDirectory]
        let rooms = kinds.map { FileManager.default.urls(for: $0, in: .userDomainMask)[0].path }
        let there = (rooms + [NSTemporaryDirectory()]).filter(FileManager.default.fileExists(atPath:))
        say("rooms \(there.joined(separator: " "))")
    case "print": print(words.dropFirst().joined(separator: " "))
    case "exit": exit(Int32(number))
    case "kill": session.transferUserInfo(["n": number, "die": words[2]])
    case "complication": transfers[number] = session.transferCurrentComplicationUserInfo(["n": number])
    case "cancel": transfers[number]?.cancel()
    case "file":
        let transfer = session.transferFile(URL(fileURLWithPath: words[1]), metadata: ["n": words.count])
        fileTransfers[words[1]] = transfer
        observations.append(
            transfer.progress.observe(\.fractionCompleted, options: [.new]) { progress, change in
                if change.newValue == 1 { say("progress \(progress.completedUnitCount)") }
            })
    case "state":
        say(
            "state \(session.activationState.rawValue) \(session.isReachable) \(session.hasContentPending) "
                + "\(session.outstandingUserInfoTransfers.count) \(session.outstandingFileTransfers.count) "
                + "\(session.receivedApplicationContext["n"] ?? "-") \(session.isPaired) \(session.isWatchAppInstalled) "
                + "\(session.remainingComplicationUserInfoTransfers) \(session.isCompanionAppInstalled) "
                + "\(session.iOSDeviceNeedsUnlockAfterRebootForReachability) \(session.watchDirectoryURL != nil)")
    default: say("what is \(words[0])?")
    }
}

var arguments = CommandLine.arguments.dropFirst()

func performArguments() {
    while let line = arguments.popFirst() { perform(line.split(separator: " ").map(String.init)) }
}

let reader = Thread {
    while let line = readLine() {
        DispatchQueue.main.async { perform(line.split(separator: " ").map(String.init)) }
    }
    exit(0)
}
reader.start()
RunLoop.main.run()
