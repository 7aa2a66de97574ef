package import CassetteReplay
import DeviceShell
package import Foundation
import LinkProtocol

/// The timeline of a cassette: what was done and told at the boundary of each recorded app, and what crossed the link.
package struct CassetteTimeline {
    /// The start of the recording.
    private let start: Date
    /// True if the other side of the link was not recorded: the ends of arrows there are then drawn at the same moment.
    private let isOneSided: Bool
    private var packages: [Int: TimelinePackage] = [:]
    private var bands: [TimelineBand] = []
    private var marks: [TimelineMark] = []
    private var reachable: [Reach: Date] = [:]

    /// The owner of a band, and the watch that it reaches, if it is a phone that serves several.
    private struct Reach: Hashable {
        let owner: TimelineOwner
        let watch: String?
    }

    /// - Parameters:
    ///   - tapes: The apps of one recording.
    ///   - start: The time that the recording's beginning is drawn at.
    package init(_ tapes: [AppTape], start: Date) {
        self.start = start
        isOneSided = tapes.count == 1
        for tape in tapes { add(tape) }
    }

    /// Marks an event.
    package mutating func mark(_ kind: TimelineMark.Kind, _ event: AppEvent, of tape: AppTape, _ note: String) {
        marks.append(
            TimelineMark(kind: kind, life: Self.owner(tape), time: time(event, tape), note: note))
    }

    package var timeline: Timeline {
        let all = packages.sorted { $0.key < $1.key }.map { isOneSided ? Self.closed($0.value) : $0.value }
        let open = reachable.map { Self.band($0.key, from: $0.value, to: nil) }
        return Timeline(
            packages: all.filter { $0.span != nil }, bands: (bands + open).sorted { $0.start < $1.start },
            // The first parting is drawn over what else is there.
            marks: marks.sorted { ($0.kind == .parting ? 1 : 0, $0.time) < ($1.kind == .parting ? 1 : 0, $1.time) })
    }

    /// Returns a package whose ends on the side that was not recorded are at the same moment as those that were.
    private static func closed(_ package: TimelinePackage) -> TimelinePackage {
        var package = package
        for index in package.arrows.indices where !package.arrows[index].isRefusal {
            package.arrows[index].left = package.arrows[index].left ?? package.arrows[index].arrived
            package.arrows[index].arrived = package.arrows[index].arrived ?? package.arrows[index].left
        }
        return package
    }

    // MARK: - Events

    private static func owner(_ tape: AppTape) -> TimelineOwner {
        let side = side(tape)
        return TimelineOwner(side, side == .companion ? tape.side : nil)
    }

    private static func side(_ tape: AppTape) -> TimelineSide { tape.side == "phone" ? .host : .companion }

    private func time(_ event: AppEvent, _ tape: AppTape) -> Date {
        start.addingTimeInterval(Double(tape.start + event.time) / 1_000_000)
    }

    private mutating func add(_ tape: AppTape) {
        let (side, owner) = (Self.side(tape), Self.owner(tape))
        for event in tape.events {
            let time = time(event, tape)
            if event.role == .fault {
                if let number = event.package, let words = event.words { packages[number]?.faults.append(words) }
            } else if let number = event.package, !["connected", "disconnected"].contains(event.kind) {
                // A package of the session's own has no call: its command says what it is.
                let kind = event.words?.split(separator: " ").first.map(String.init) ?? event.kind
                var package = packages[number] ?? TimelinePackage("#\(number)", kind: kind)
                Self.take(event, at: time, by: side, into: &package)
                package.watch = package.watch ?? owner.watch ?? lane(of: event, tape)
                packages[number] = package
            }
            take(event, at: time, of: owner, lane(of: event, tape))
        }
        guard let last = tape.events.last else { return }
        for (reach, since) in reachable where reach.owner == owner {
            reachable[reach] = nil
            bands.append(Self.band(reach, from: since, to: time(last, tape)))
        }
    }

    /// Returns the watch that an event was with, if only the phone was recorded and had several.
    private func lane(of event: AppEvent, _ tape: AppTape) -> String? {
        guard isOneSided, tape.hasSeveralWatches else { return nil }
        if event.role == .link, event.isOfDevice {
            return event.package.map(tape.watches.name)
        }
        return tape.watchName(of: event)
    }

    private static func take(
        _ event: AppEvent, at time: Date, by side: TimelineSide, into package: inout TimelinePackage
    ) {
        switch event.role {
        case .call(let channel):
            (package.kind, package.origin, package.queued) = (channel.rawValue, side, time)
        case .delivery(let channel, _):
            (package.kind, package.origin) = (channel.rawValue, side.other)
            if package.status == .queued { package.received(at: time, by: side) }
            package.status = max(package.status, .delivered)
        case .link where event.kind == "write" && package.origin != side.other: package.sent(at: time, by: side)
        case .link where event.kind == "write": package.answered(at: time, by: side, isRefusal: event.error != nil)
        case .link where event.kind == "read" && package.origin != side: package.received(at: time, by: side)
        case .outcome where event.error == nil:
            package.ended(event.kind == "replyHandler" ? .replied : .delivered, at: time, by: side)
        case .outcome, .refusal:
            package.ended(.failed, at: time, by: side)
            package.cause = event.error.map { "error \($0)" } ?? event.words
        case .link, .answer, .droppedAnswer, .cancel, .activation, .notice, .action, .fault: break
        }
        package.bytes = package.bytes ?? event.bytes
    }

    /// - Parameter lane: The watch that the event was with, if it has a lane without a recording of its own.
    private mutating func take(_ event: AppEvent, at time: Date, of owner: TimelineOwner, _ lane: String?) {
        let note = [event.kind, event.words].compactMap(\.self).joined(separator: " ")
        switch event.role {
        case .activation: marks.append(TimelineMark(kind: .start, life: owner, time: time, note: note))
        case .action, .fault: marks.append(TimelineMark(kind: .fault, life: owner, time: time, note: note))
        case .droppedAnswer: marks.append(TimelineMark(kind: .trouble, life: owner, time: time, note: note))
        case .notice where event.kind == "reachabilityDidChange":
            // A phone that serves one watch at a time is told of the one that it serves.
            let reach = Reach(owner: owner, watch: event.watch == nil ? nil : lane)
            if event.words == "reachable" {
                reachable[reach] = reachable[reach] ?? time
            } else if let since = reachable.removeValue(forKey: reach) {
                bands.append(Self.band(reach, from: since, to: time))
            }
        case .link: if let lane { markLink(event, at: time, of: TimelineOwner(.companion, lane)) }
        case .call, .answer, .cancel, .refusal, .delivery, .outcome, .notice: break
        }
    }

    /// Marks where the link to a watch begins and ends: its lane would not show more of it, and is there even if the watch
    /// exchanged nothing.
    private mutating func markLink(_ event: AppEvent, at time: Date, of watch: TimelineOwner) {
        switch event.kind {
        case "connected": marks.append(TimelineMark(kind: .start, life: watch, time: time, note: event.kind))
        case "disconnected": marks.append(TimelineMark(kind: .stop, life: watch, time: time, note: event.kind))
        default: break
        }
    }

    private static func band(_ reach: Reach, from start: Date, to end: Date?) -> TimelineBand {
        TimelineBand(kind: .reachable, life: reach.owner, counterpart: reach.watch, start: start, end: end, note: "")
    }
}
