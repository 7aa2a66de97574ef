import DeviceEngine
import Foundation
import LinkProtocol

/// The queue of calls to an app's delegate, delivered one at a time; it holds them while the app is not running.
struct DelegateCalls {
    enum Call {
        case message(MessagePackage, Device, Int)
        /// A message sent by this side has ended.
        case end(UUID, isQuiz: Bool, Reply)
        case give(ReceivedTransfer, Int)
        case tellEnd(UUID, OutgoingTransfer.Ending)
        case reachability(Bool)
        case activated
        case reactivate
    }

    enum Reply {
        case success(Data?)
        case failure(MessageFailure)
    }

    var waiting: [Call] = []
    var isHeld = false
    var isRunning = false
}
