import DeviceEngine
import DeviceShell
import EventLog
import Foundation
import LinkProtocol

/// The session as the shell's app: it translates the events of the device into Apple's terms.
extension SessionCore: DeviceApp {
    func record(_ companion: Companion) {
        logger.log(.companionChanged, [.device(companion.identifier), .reason(companion.summary)])
        prepareDirectory(of: companion)
        keep(companion)
    }

    func forget(_ companion: UUID) {
        logger.log(.companionChanged, [.device(companion), .reason("forgotten to make room for another watch")])
        drop(companion)
    }

    func forgot(_ transfers: [UUID]) { for transfer in transfers { objects.remove(transfer) } }

    func adopted(_ peer: UUID) { objects.adopt(peer) }

    func forgotContexts(of peer: UUID) { objects.setSentContext(nil, peer) }

    func receivedContext(_ payload: Data, from peer: UUID) { objects.setReceivedContext(payload, peer) }
}

extension WCError {
    /// The error as the engine's code.
    var sessionCode: SessionErrorCode { SessionErrorCode(rawValue: errorCode) ?? .genericError }

    /// Returns the error as the outcome of a transfer.
    func ending(of transfer: UUID) -> TransferStateMachine.Ending {
        TransferStateMachine.Ending(identifier: transfer, outcome: .refused(reason: reason), code: errorCode)
    }
}
