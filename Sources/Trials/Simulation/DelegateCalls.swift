import DeviceEngine
import Foundation
import LinkProtocol

/// The calls that wait for an app's delegate, one after the other; all of them while the app does not run.
struct DelegateCalls {
    enum Call {
        case message(MessagePackage, Device, Int)
        /// A message of this side is over.
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
