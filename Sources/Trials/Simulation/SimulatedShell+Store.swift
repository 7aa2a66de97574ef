import DeviceEngine
import Foundation
import LinkProtocol

/// The store: its transactions run one at a time, take time, and can fail.
extension SimulatedShell {
    /// Changes the records on a disk. `done` gets the result once it is durable, or nil if the disk failed.
    ///
    /// - Parameter isEager: True if a planted bug calls `done` before the change is durable.
    func commit<Records, Result>(
        _ disk: SimulatedDisk<Records>, isEager: Bool = false, _ change: @escaping (inout Records) -> Result,
        _ done: @escaping (Result?) -> Void = { (_: Result?) in }
    ) {
        if disk.begins() {
            begin(disk, isEager, change, done)
        } else {
            disk.wait { [self] in begin(disk, isEager, change, done) }
        }
    }

    private func begin<Records, Result>(
        _ disk: SimulatedDisk<Records>, _ isEager: Bool, _ change: @escaping (inout Records) -> Result,
        _ done: @escaping (Result?) -> Void
    ) {
        guard !node.isDiskFailing() else {
            done(nil)
            return disk.next()
        }
        let result = disk.write(change)
        if isEager { done(result) }
        schedule(after: node.syncDelay()) {
            disk.sync()
            if !isEager { done(result) }
            disk.next()
        }
    }

    /// Reads records when the disk is free. `done` gets them, or nil if the disk failed.
    private func read<Result>(
        _ query: @escaping (inout SessionRecords) -> Result, _ done: @escaping (Result?) -> Void
    ) {
        if node.session.begins() {
            beginRead(query, done)
        } else {
            node.session.wait { [self] in beginRead(query, done) }
        }
    }

    private func beginRead<Result>(_ query: (inout SessionRecords) -> Result, _ done: @escaping (Result?) -> Void) {
        let disk = node.session
        let result = node.isDiskFailing() ? nil : disk.read(query)
        schedule(after: node.readDelay()) {
            done(result)
            disk.next()
        }
    }

    func store(_ effect: DeviceEngine.Effect) {
        switch effect {
        case .load(let transfers, let batch): load(transfers, batch: batch)
        case .record(let endings):
            commit(node.session) {
                $0.record(endings)
            } _: { [self] done in
                act { if done == nil { $0.recordFailed(at: $1) } else { $0.recorded(at: $1) } }
            }
        case .forget(let transfers, let notes):
            for note in notes { self.note(note, at: nil) }
            commit(node.session) {
                $0.forget(transfers)
            } _: { [self] done in
                act { if done == nil { $0.forgetFailed(transfers, notes, at: $1) } else { $0.forgotten(transfers) } }
            }
        case .demote(let transfer): commit(node.session) { $0.outgoing.change(transfer) { $0.kind = .userInfo } }
        case .adopt(let device):
            commit(node.session) {
                $0.adopt(device)
            } _: { [self] done in
                if done != nil { act { $0.adopted(device, at: $1) } }
            }
        case .readEnded:
            read {
                $0.ended
            } _: { [self] ended in
                act { if let ended { $0.endedRead(ended) } else { $0.endedUnread(at: $1) } }
            }
        case .keep(let arrivals): keep(arrivals)
        case .readInbox(let position, let limit):
            if lastGiven.map({ $0 != position }) ?? false || limit <= 0 {
                world.chronicle.fail(
                    .oneHandler, "node \(node.index) reads \(limit) transfers after \(position), not \(lastGiven ?? 0)")
            }
            read {
                $0.inbox(after: position, limit: limit)
            } _: { [self] transfers in
                act { if let transfers { $0.inboxRead(transfers) } else { $0.inboxUnread(at: $1) } }
            }
        case .remove(let positions, let notes):
            // Those that an earlier removal could not remove come first; their notes are known.
            for note in notes.dropFirst(leftovers) { self.note(note, at: node.wallClock) }
            leftovers = 0
            commit(node.session) {
                $0.remove(positions)
            } _: { [self] done in
                if done == nil { leftovers += positions.count }
                act { if done == nil { $0.notRemoved(at: $1) } else { $0.removed(at: $1) } }
            }
        case .recordCompanion(let companion):
            world.checkFace(companion)
            keep(companion, as: companion.identifier)
        case .forgetCompanion(let device): keep(nil, as: device)
        default: break
        }
    }

    private func load(_ transfers: [UUID], batch: Int) {
        trace { "reads \(transfers.map(world.name).joined(separator: " ")) (batch \(batch))" }
        read { records in
            Dictionary(uniqueKeysWithValues: transfers.compactMap { id in records.outgoing[id].map { (id, $0) } })
        } _: { [self] found in
            act {
                if let found {
                    $0.loaded(found, of: transfers, batch: batch, at: $1)
                } else {
                    $0.loadFailed(transfers, batch: batch, reason: "the disk could not be read", at: $1)
                }
            }
        }
    }

    private func keep(_ companion: Companion?, as device: UUID) {
        commit(node.session) {
            $0.keep(companion, as: device)
        } _: { [self] done in
            if done == nil { act { $0.companionUnrecorded(device, at: $1) } }
        }
    }

    private func keep(_ arrivals: [DeviceEngine.Arrival]) {
        let (bug, room) = (world.bug, world.plan.inboxRoom)
        commit(node.session) { records in
            let transfers = arrivals.map(\.transfer)
            guard bug == .overtakes else { return transfers.map { records.receive($0, bug, room: room) } }
            return transfers.reversed().map { records.receive($0, bug, room: room) }.reversed()
        } _: { [self] outcomes in
            guard let outcomes else { return act { $0.notKept(reason: "the disk is full", at: $1) } }
            for (arrival, outcome) in zip(arrivals, outcomes) {
                for note in arrival.notes(outcome, at: node.wallClock) { self.note(note, at: node.wallClock) }
            }
            let kept = zip(arrivals, outcomes).filter { if case .stored = $0.1 { true } else { false } }
            for (arrival, _) in bug == .overtakes ? kept.reversed() : kept {
                trace { "keeps \(world.name(arrival.transfer.identifier))" }
                world.chronicle.arrived(arrival.transfer.identifier)
                if !unwelcome.isEmpty { checkWelcome(of: arrival.transfer.identifier) }
            }
            act { $0.kept(outcomes, at: $1) }
        }
    }
}
