/// All claims, in the order in which they are tried. The article “Fidelity” lists the same, with the source of each.
enum Claims {
    static let all =
        activation + state + messages + values + limits + replies + calls + contexts + userInfos + files
        + complications + away + background + relaunches

    private static let activation: [Claim] = [
        .both("activation.supported", "WCSession.isSupported() is true"),
        .both("activation.before", "Before activate() the state is notActivated"),
        .both("activation.messageBefore", "A message before activate() fails with 7004"),
        .both("activation.contextBefore", "updateApplicationContext before activate() throws 7004"),
        .both("activation.userInfoBefore", "A user info queued before activate() ends in didFinish with 7004"),
        .both("errors.bridge", "An NSError of the domain WCErrorDomain can be cast to a WCError"),
        .both("activation.completes", "activate() ends in activationDidComplete: activated, without an error"),
        .both("activation.again", "A second activate() calls activationDidComplete once more"),
    ]

    private static let state: [Claim] = [
        .phone("state.paired", "isPaired is true"),
        .phone("state.appInstalled", "isWatchAppInstalled is true"),
        .phone("state.directory", "watchDirectoryURL exists while the session is activated"),
        .watch("state.companionApp", "isCompanionAppInstalled is true"),
        .watch("state.unlocked", "iOSDeviceNeedsUnlockAfterRebootForReachability is false for an unlocked phone"),
        .both("state.reachable", "isReachable is true while both apps are in the foreground"),
        .both("state.nothingPending", "hasContentPending is false when nothing is on its way"),
    ]

    private static let messages: [Claim] = [
        .both("message.reply", "A message with a reply handler gets the other app's reply"),
        .both("message.method", "The presence of a reply handler decides which delegate method is called"),
        .both("message.data", "A data message gets a data reply"),
        .phone("message.plainData", "A data message without a reply handler calls didReceiveMessageData"),
        .phone("message.missingMethod", "A message that the other delegate has no method for fails with 7014"),
        .both("message.order", "Messages arrive in the order in which they were sent"),
        .both("message.empty", "An empty dictionary is a message"),
        .both("message.inCall", "A message can be sent in a delegate's call; its reply comes after that call"),
    ]

    private static let values: [Claim] = [
        .both("values.integer", "An integer can also be read as a Double"),
        .both("values.one", "The integer 1 can also be read as a Bool"),
        .both("values.truth", "A Bool can also be read as an Int and as a Double"),
        .both("values.fraction", "A Double with a fraction cannot be read as an Int"),
        .both("values.whole", "A Double without a fraction can be read as an Int"),
        .both("values.float", "A Float can be read as a Float"),
        .both("values.decimal", "A Decimal can be read as a Double"),
        .both("values.cgFloat", "A CGFloat can be read as a CGFloat"),
        .both("values.large", "The largest Int64 and UInt64 keep their value"),
        .both("values.date", "A Date keeps its value to the bit"),
        .both("values.data", "Data keeps its bytes, and may be empty"),
        .both("values.text", "A text keeps its scalars: it is not normalized"),
        .both("values.nested", "Nested lists and dictionaries keep their structure"),
        .both("values.empty", "Empty lists and dictionaries arrive as such"),
    ]

    private static let limits: [Claim] = [
        .both("limits.message", "A message of 60,000 bytes is delivered"),
        .both("limits.messageTooLarge", "A message of 70,000 bytes fails with 7009"),
        .both("limits.dataTooLarge", "A data message of 70,000 bytes fails with 7009"),
        .both("limits.messageTypes", "A message with a UUID fails with 7010"),
        .both("limits.messageNull", "A message with NSNull in a list fails with 7010"),
        .both("limits.context", "A context of 200,000 bytes is accepted"),
        .both("limits.contextTooLarge", "A context of 300,000 bytes is refused with 7009"),
        .both("limits.contextTypes", "A context with a UUID is refused with 7010"),
        .both("limits.userInfoTooLarge", "A user info of 70,000 bytes ends in didFinish with 7009"),
        .both("limits.userInfoTypes", "A user info with a UUID ends in didFinish with 7010"),
        .both("limits.metadataTypes", "A file whose metadata has a UUID ends in didFinish with 7010"),
    ]

    private static let replies: [Claim] = [
        .both("replies.late", "A reply after five seconds is delivered"),
        .both("replies.none", "A message that is never answered fails with 7012"),
        .both("replies.dropped", "A message whose reply handler was released without a call fails with 7012"),
        .both("replies.tooLarge", "A reply of 70,000 bytes makes the message fail"),
        .both("replies.types", "A reply with a UUID makes the message fail"),
        .both("replies.survived", "An app that calls a reply handler twice goes on"),
        .both("replies.twice", "A reply handler that is called twice gives the sender one reply, the first"),
    ]

    private static let calls: [Claim] = [
        .both("calls.oneHandler", "Of a message's two handlers exactly one is called, once"),
        .both("calls.notMain", "The delegate and the handlers are never called on the main thread"),
        .both("calls.serial", "The delegate and the handlers are called one at a time"),
    ]

    private static let contexts: [Claim] = [
        .both("context.sent", "applicationContext is the dictionary that was set last"),
        .both("context.arrives", "A context calls the delegate once, and is then receivedApplicationContext"),
        .both("context.equal", "A context equal to the last one is not delivered again"),
        .both("context.empty", "An empty dictionary is a context"),
    ]

    private static let userInfos: [Claim] = [
        .both("userInfo.order", "User infos arrive once each, in the order in which they were queued"),
        .both("userInfo.empty", "An empty dictionary is a user info"),
        .both("userInfo.didFinish", "didFinish gets the very object that transferUserInfo returned, without an error"),
        .both("userInfo.finished", "A finished transfer is no longer outstanding or transferring"),
    ]

    private static let files: [Claim] = [
        .both("file.arrives", "A file arrives with its bytes, its name and its metadata"),
        .both("file.plain", "A file without metadata arrives with nil"),
        .both("file.empty", "An empty file arrives"),
        .both("file.inbox", "A file is received in the folder Documents/Inbox"),
        .both("file.removed", "A received file is removed after the delegate's return"),
        .both("file.moved", "A received file that was moved in the delegate's call is kept"),
        .both("file.didFinish", "didFinish gets the very object that transferFile returned, without an error"),
        .both("file.progress", "The progress of a finished file is 1"),
        .both("file.missing", "The transfer of a file that does not exist ends in didFinish with 7013"),
    ]

    private static let complications: [Claim] = [
        .phone("complication.none", "Without the app's complication on the face, no urgent transfers remain"),
        .phone("complication.plain", "Without budget, a complication transfer is still delivered"),
        .phone("complication.notified", "sessionWatchStateDidChange is called when a complication is added"),
        .phone("complication.budget", "With the complication on the face, 50 urgent transfers a day remain"),
        .phone("complication.used", "A complication transfer takes one of them, and knows that it is one"),
    ]

    private static let away: [Claim] = [
        .both("away.reachable", "isReachable becomes false when the other device is out of reach"),
        .both("away.notified", "sessionReachabilityDidChange is called, and reads the new value"),
        .both("away.observed", "An observer of the key path isReachable is called with the new value"),
        .both("away.message", "A message to a device out of reach fails with 7007"),
        .both("away.errorType", "The error is a WCError of the domain WCErrorDomain, and can be caught by its code"),
        .both("away.data", "A data message to a device out of reach fails with 7007"),
        .both("away.outstanding", "Transfers to a device out of reach are outstanding, in their order"),
        .both("away.transferring", "A user info that has not been transferred yet is transferring"),
        .both("away.cancel", "A cancelled transfer is no longer outstanding, and didFinish is not called for it"),
        .both("away.notDelivered", "A transfer that was cancelled in time is not delivered"),
        .both("away.userInfos", "User infos queued meanwhile arrive later, once each and in order"),
        .both("away.context", "Of contexts set meanwhile only the last one arrives"),
        .both("away.file", "A file queued meanwhile arrives later"),
        .both("away.fileCancel", "A cancelled file is no longer outstanding, and didFinish is not called for it"),
        .both("away.progressCancel", "Cancelling the progress of a file's transfer cancels the transfer"),
        .both("away.sourceRemoved", "A file that was removed after the call ends in didFinish with 7013"),
        .both("away.sourceChanged", "A file that was changed after the call ends in didFinish with 7014"),
    ]

    private static let background: [Claim] = [
        .phone("background.watch", "A watch app in the background is not reachable from the phone"),
        .phone("background.message", "A message to a watch app in the background fails with 7007"),
        .watch("background.phone", "A phone app in the background is reachable from the watch"),
        .watch("background.wake", "A message to a phone app in the background gets its reply"),
    ]

    private static let relaunches: [Claim] = [
        .watch("relaunch.context", "receivedApplicationContext is there after a relaunch"),
        .watch("relaunch.userInfos", "User infos queued while the app did not run arrive after its launch"),
        .phone("relaunch.sentContext", "applicationContext is there after a relaunch"),
        .phone("relaunch.outstanding", "Outstanding transfers are there after a relaunch, in their order"),
        .phone("relaunch.didFinish", "didFinish of earlier transfers is called after a relaunch"),
        .phone("file.notAFile", "The transfer of a URL that is not a file ends in didFinish with 7008"),
    ]
}
