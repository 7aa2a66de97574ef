import Cassettes
import DeviceShell
import LinkProtocol

extension Observation {
    /// Creates the observation of a device's event.
    init(_ event: NotedEvent, side: String) {
        self.init(
            side: side, time: event.time.nanoseconds, thread: event.thread, kind: event.name,
            stage: Stage(event.stage))
        (package, device) = (event.package, event.device)
        payload =
            switch event.content {
            case .propertyList(let data): .propertyList(data)
            case .bytes(let data): .bytes(data)
            case nil: nil
            }
        bytes = event.bytes
        error = event.error
        wantsReply = event.wantsReply
        words = event.words
        isInCall = event.isInCall
    }
}

extension Observation.Stage {
    init(_ stage: DeviceEvent.Stage) {
        self =
            switch stage {
            case .call: .call
            case .written: .written
            case .read: .read
            case .delivered: .delivered
            case .answered: .answered
            case .answerWritten: .answerWritten
            case .answerRead: .answerRead
            case .ended: .ended
            case .notified: .notified
            case .other: .other
            }
    }
}
