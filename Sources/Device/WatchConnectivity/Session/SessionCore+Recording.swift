import DeviceShell
import EventLog
import Foundation
import LinkProtocol
import Locking

/// The recording of a session, if there is one.
struct RecordingState: Sendable {
    var current: (any DeviceRecording)?
    /// True once the recording that the configuration demands was started.
    var hasBegun = false
}

/// Recordings of the device, by its configuration or on demand.
extension SessionCore {
    /// Starts the recording that the configuration demands, once. A device that cannot be recorded works nevertheless.
    func startDemandedRecording() {
        guard let order = configuration?.recording, recording.withLock({ $0.takeBeginning() }) else { return }
        do {
            try startRecording(order)
        } catch {
            logger.log(.recordingFailed, [.path(order.folder), .error(error)])
        }
    }

    /// Starts a recording.
    ///
    /// - Returns: The directory of the cassette.
    /// - Throws: An error if the device is already recorded or the cassette cannot be made.
    @discardableResult
    func startRecording(_ order: RecordingOrder) throws -> String {
        guard let control = LinkedControl.ofProgram else { throw ControlNotLinked() }
        let started = try control.record(DeviceSimulator(self), order)
        recording.withLock { $0.current = started }
        logger.log(.recordingStarted, [.path(started.path)])
        return started.path
    }

    /// Lets a recording begin, with what the device knows of its counterparts at that moment as its first events.
    ///
    /// - Parameter open: Adds the device's events to the recording from now on; false if another recording has them.
    func begin(_ open: @escaping @Sendable () -> Bool) -> Bool {
        // Without it, no counterpart is known yet.
        guard let shell else { return open() }
        return shell.atRest { [self] presence in
            guard open() else { return false }
            noteCounterparts(presence)
            tap.note(DeviceEvent("present", .other, nil, .words(presence.activation.word)))
            return true
        }
    }

    /// Notes the counterparts that are known: the active watch first, then those that are connected, in the order in which
    /// they have connected.
    func noteCounterparts(_ presence: PresenceStateMachine) {
        guard tap.isTold else { return }
        let active = presence.active.map { [$0.identifier] } ?? []
        let known = presence.companions.values.map(\.identifier) + presence.peers.keys.map(\.identifier)
        var noted: Set<UUID> = []
        for device in active + connectedDevices.map(\.identifier) + known.sorted(by: { $0.uuidString < $1.uuidString })
        where noted.insert(device).inserted {
            let words = presence.words(on: device).joined(separator: " ")
            tap.note(DeviceEvent("present", .other, device, .words(words), of: device))
        }
    }

    /// Ends the recording, if there is one, and completes its files.
    @discardableResult
    func endRecording() -> RecordingReport? {
        let current = recording.withLock { recording in
            defer { recording.current = nil }
            return recording.current
        }
        guard let report = current?.finish() else { return nil }
        if let reason = report.reason {
            logger.log(.recordingIncomplete, [.path(report.path), .count(report.lost), .reason(reason)])
        } else {
            logger.log(.recordingFinished, [.path(report.path), .count(report.events)])
        }
        if !report.unmatched.isEmpty {
            let paths = report.unmatched.joined(separator: ", ")
            logger.log(.nothingKept, [.path(report.path), .reason("no content has the key path \(paths)")])
        }
        return report
    }
}

extension RecordingState {
    /// Claims the start of the demanded recording; returns `true` once.
    fileprivate mutating func takeBeginning() -> Bool {
        defer { hasBegun = true }
        return !hasBegun
    }
}

extension PresenceStateMachine {
    /// The words of a recording on a counterpart.
    fileprivate func words(on device: UUID) -> [String] {
        let watch = companions[device]
        let facts = [
            (watch?.isPaired == true, "paired"), (watch?.isAppInstalled == true, "installed"),
            (watch?.hasComplication == true, "complication"), (watch?.isActive == true, "active"),
            (nextWatch == device, "next"), (peers[device] != nil, "connected"), (isReachable(device), "reachable"),
        ]
        return facts.filter(\.0).map(\.1)
    }
}

extension Activation {
    /// The word of a recording.
    fileprivate var word: String {
        switch self {
        case .notActivated: "notActivated"
        case .inactive: "inactive"
        case .activated: "activated"
        }
    }
}

extension DelegateMethod {
    /// The name in a recording. Written out, because the name of a case costs more than the rest of an event.
    var name: StaticString {
        switch self {
        case .activationDidComplete: "activationDidComplete"
        case .didBecomeInactive: "didBecomeInactive"
        case .didDeactivate: "didDeactivate"
        case .watchStateDidChange: "watchStateDidChange"
        case .companionAppInstalledDidChange: "companionAppInstalledDidChange"
        case .reachabilityDidChange: "reachabilityDidChange"
        case .didReceiveMessage: "didReceiveMessage"
        case .didReceiveMessageWithReply: "didReceiveMessageWithReply"
        case .didReceiveMessageData: "didReceiveMessageData"
        case .didReceiveMessageDataWithReply: "didReceiveMessageDataWithReply"
        case .didReceiveContext: "didReceiveContext"
        case .didReceiveUserInfo: "didReceiveUserInfo"
        case .didReceiveFile: "didReceiveFile"
        case .didFinish: "didFinish"
        case .replyHandler: "replyHandler"
        case .errorHandler: "errorHandler"
        case .observer: "observer"
        }
    }

    /// The stage of a message or transfer that the call is; nil for a call that is not recorded.
    var stage: DeviceEvent.Stage? {
        switch self {
        case .activationDidComplete, .didBecomeInactive, .didDeactivate, .watchStateDidChange,
            .companionAppInstalledDidChange, .reachabilityDidChange:
            .notified
        case .didReceiveMessage, .didReceiveMessageWithReply, .didReceiveMessageData, .didReceiveMessageDataWithReply,
            .didReceiveContext, .didReceiveUserInfo, .didReceiveFile:
            .delivered
        case .didFinish, .replyHandler, .errorHandler: .ended
        case .observer: nil
        }
    }
}

extension TransferKind {
    /// The name of the app's call that starts a message or transfer of this kind.
    var call: StaticString {
        switch self {
        case .message: "sendMessage"
        case .data: "sendMessageData"
        case .context: "updateApplicationContext"
        case .userInfo: "transferUserInfo"
        case .complication: "transferCurrentComplicationUserInfo"
        case .file: "transferFile"
        }
    }
}
