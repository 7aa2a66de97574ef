public import Foundation

/// A kind of call that a session makes to its delegate, and the type of its arguments.
public struct DelegateCall<Content: Sendable>: Sendable {
    let name: String

    fileprivate init(_ name: String) { self.name = name }
}

extension DelegateCall where Content == SessionActivation {
    /// The activation completed, or failed.
    public static var activation: DelegateCall { DelegateCall("activation") }
}

extension DelegateCall where Content == SessionState {
    /// The session became inactive: the phone is switching to another watch.
    public static var inactive: DelegateCall { DelegateCall("inactive") }
    /// The session was deactivated.
    public static var deactivation: DelegateCall { DelegateCall("deactivation") }
    /// The state of the watch changed.
    public static var watchState: DelegateCall { DelegateCall("watch state") }
    /// The phone's app was installed or removed.
    public static var companionAppInstalled: DelegateCall { DelegateCall("companion app installed") }
    /// The reachability changed.
    public static var reachability: DelegateCall { DelegateCall("reachability") }
}

extension DelegateCall where Content == ReceivedDictionary {
    /// A message with a dictionary arrived.
    public static var message: DelegateCall { DelegateCall("message") }
    /// An application context arrived.
    public static var applicationContext: DelegateCall { DelegateCall("application context") }
    /// A user info or complication user info arrived.
    public static var userInfo: DelegateCall { DelegateCall("user info") }
}

extension DelegateCall where Content == Data {
    /// A message with data arrived.
    public static var messageData: DelegateCall { DelegateCall("data message") }
}

extension DelegateCall where Content == ReceivedFile {
    /// A file arrived.
    public static var file: DelegateCall { DelegateCall("file") }
}

extension DelegateCall where Content == FinishedUserInfo {
    /// A user info transfer ended.
    public static var userInfoTransfer: DelegateCall { DelegateCall("end of a user info transfer") }
}

extension DelegateCall where Content == FinishedFile {
    /// A file transfer ended.
    public static var fileTransfer: DelegateCall { DelegateCall("end of a file transfer") }
}
