import DeviceEngine
import DeviceShell
import EventLog
import Foundation
import LinkProtocol
import QuizSync
import Services
import WatchConnectivity

/// The effects of log events on a package.
extension TimelinePackage {
    mutating func take(_ event: TimelineEvent) {
        let (time, side) = (event.time, event.side)
        if let bytes = event.fields["bytes"].flatMap({ Int($0) }) { self.bytes = bytes }
        let reason = event.fields["reason"] ?? event.fields["error"]
        switch event.event {
        case .quizAccepted, .transferQueued:
            queued = time
            origin = side
        case .quizSent, .messageSent, .transferSent: sent(at: time, by: side)
        case .quizReceived, .messageReceived: received(at: time, by: side)
        case .quizRepeated, .transferReceived, .transferRepeated:
            // Stored and answered. A duplicate is answered again, as the former answer was lost.
            received(at: time, by: side)
            answered(at: time, by: side)
        case .quizStored: answered(at: time, by: side)
        case .messageReplied where kind != "quiz":
            answered(at: time, by: side, isRefusal: event.fields["status"] == DeliveryStatus.failed.rawValue)
        case .quizReplied: ended(.replied, at: time, by: side)
        case .transferFinished: ended(.delivered, at: time, by: side)
        case .replyTooLate: answeredLate(at: time, by: side)
        case .transferDelivered: status = max(status, .delivered)
        case .quizFailed, .transferFailed, .transferCancelled, .quizRejected:
            ended(.failed, at: time, by: side)
            cause = reason
        case .quizRefused, .messageFailed, .quizRetryScheduled, .transferRetryScheduled, .transferInterrupted:
            cause = reason ?? event.event.text
            if event.event == .messageFailed, kind != "quiz" { ended(.failed, at: time, by: side) }
        case .contextCoalesced: status = .coalesced
        default: break
        }
    }

    mutating func sent(at time: Date, by side: TimelineSide) {
        // Both the quiz and the message that carries it are logged at the same moment.
        if let last = arrows.last, last.meaning == .out, last.arrived == nil, let left = last.left, last.from == side,
            abs(left.timeIntervalSince(time)) < 0.005
        {
            return
        }
        origin = origin ?? side
        status = max(status, .sent)
        arrows.append(Arrow(meaning: .out, from: side, left: time, arrived: nil))
    }

    mutating func received(at time: Date, by side: TimelineSide) {
        origin = origin ?? side.other
        status = max(status, .received)
        if let open = arrows.lastIndex(where: { $0.meaning == .out && $0.from == side.other && $0.arrived == nil }) {
            arrows[open].arrived = time
        } else if !arrows.contains(where: { $0.meaning == .out && $0.from == side.other }) {
            arrows.append(Arrow(meaning: .out, from: side.other, left: nil, arrived: time))
        }
    }

    mutating func answered(at time: Date, by side: TimelineSide, isRefusal: Bool = false) {
        arrows.append(Arrow(meaning: .answer, from: side, left: time, arrived: nil, isRefusal: isRefusal))
    }

    /// Records the outcome that the sender knows. A failure counts as the arrival of an answer only if that answer was
    /// a refusal: a positive answer that the sender did not wait for has not arrived.
    mutating func ended(_ status: Status, at time: Date, by side: TimelineSide) {
        self.status = status
        let isOpen = { (arrow: Arrow) in
            arrow.meaning == .answer && arrow.from == side.other && arrow.arrived == nil
                && (status != .failed || arrow.isRefusal)
        }
        if let open = arrows.lastIndex(where: isOpen) {
            arrows[open].arrived = time
        } else if status != .failed {
            arrows.append(Arrow(meaning: .answer, from: side.other, left: nil, arrived: time))
        }
    }

    /// Records an answer after its deadline. Of several in flight it is the first: the others answer later attempts.
    mutating func answeredLate(at time: Date, by side: TimelineSide) {
        // The answering side logs the same event if the peer is gone: then nothing was sent.
        guard side == origin else { return }
        if let open = arrows.firstIndex(where: { $0.meaning == .answer && $0.from == side.other && $0.arrived == nil })
        {
            arrows[open].arrived = time
            arrows[open].isLate = true
        } else {
            arrows.append(Arrow(meaning: .answer, from: side.other, left: nil, arrived: time, isLate: true))
        }
    }
}
