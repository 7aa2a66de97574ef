/// A call of the application's code on the delegate queue, as clients spell it.
enum DelegateMethod: String, CaseIterable, Sendable {
    case activationDidComplete = "session(_:activationDidCompleteWith:error:)"
    case didBecomeInactive = "sessionDidBecomeInactive(_:)"
    case didDeactivate = "sessionDidDeactivate(_:)"
    case watchStateDidChange = "sessionWatchStateDidChange(_:)"
    case companionAppInstalledDidChange = "sessionCompanionAppInstalledDidChange(_:)"
    case reachabilityDidChange = "sessionReachabilityDidChange(_:)"
    case didReceiveMessage = "session(_:didReceiveMessage:)"
    case didReceiveMessageWithReply = "session(_:didReceiveMessage:replyHandler:)"
    case didReceiveMessageData = "session(_:didReceiveMessageData:)"
    case didReceiveMessageDataWithReply = "session(_:didReceiveMessageData:replyHandler:)"
    case didReceiveContext = "session(_:didReceiveApplicationContext:)"
    case didReceiveUserInfo = "session(_:didReceiveUserInfo:)"
    case didReceiveFile = "session(_:didReceive:)"
    case didFinish = "session(_:didFinish:error:)"
    case replyHandler = "a reply handler"
    case errorHandler = "an error handler"
    case observer = "an observer's change handler"

    /// The methods of the delegate, without the other calls.
    static let ofDelegate = allCases.filter { ![.replyHandler, .errorHandler, .observer].contains($0) }
}
