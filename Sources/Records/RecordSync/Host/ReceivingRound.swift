import Foundation
import LinkProtocol

/// The statuses and answers of payloads that were accepted together, collected until all of them are settled.
struct ReceivingRound {
    /// The statuses in the order of the changes.
    private(set) var statuses: [MessagePackage]
    private(set) var answers: [(reply: PendingReply, acknowledgement: RecordAcknowledgement)] = []

    private let application: RecordApplication

    init(_ arrived: [ArrivedPayload], of application: RecordApplication) {
        statuses = arrived.map(\.package)
        self.application = application
    }

    mutating func settle(_ payload: ArrivedPayload, _ settlement: RecordSettlement) {
        statuses.append(
            payload.package.with(status: settlement.status, errorMessage: settlement.message(application.kind)))
        guard let reply = payload.reply else { return }
        answers.append(
            (reply, settlement.acknowledgement(of: payload.package.identifier, digest: payload.digest, application)))
    }
}
