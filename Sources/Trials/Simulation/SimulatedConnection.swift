import Foundation
import LinkProtocol

/// A stream between a watch and the phone: packages arrive in order, late or never.
final class SimulatedConnection {
    /// The unit of transport.
    enum Parcel {
        case package(MessagePackage)
        case frame([UInt8])
        /// Nothing follows: the other end is closed.
        case end
    }

    let number: Int
    let watch: Int
    private let world: World
    /// The phone's end, then the watch's.
    @exclusivity(unchecked) private var ends: [Endpoint?] = [nil, nil]
    @exclusivity(unchecked) private var targets = [EventQueue.Target.world, .world]
    @exclusivity(unchecked) private var lastArrival: [MonotonicTime]
    @exclusivity(unchecked) private var isOver = [false, false]
    @exclusivity(unchecked) private var stalledUntil: MonotonicTime

    init(_ number: Int, watch: Int, world: World) {
        self.number = number
        self.watch = watch
        self.world = world
        lastArrival = [world.now, world.now]
        stalledUntil = world.now
    }

    private static func index(_ isHost: Bool) -> Int { isHost ? 0 : 1 }

    func attach(_ end: Endpoint, isHost: Bool) {
        ends[Self.index(isHost)] = end
        targets[Self.index(isHost)] = end.target
    }

    /// Carries a parcel from one end to the other.
    func carry(_ parcel: consuming Parcel, fromHost: Bool) {
        let direction = Self.index(fromHost)
        guard !isOver[direction] else { return }
        deliver(direction, consume parcel)
    }

    /// Closes one end; the other learns of it after all earlier parcels have arrived.
    func close(fromHost: Bool, after delay: Nanoseconds = 0) {
        let direction = Self.index(fromHost)
        guard !isOver[direction] else { return }
        isOver[direction] = true
        lastArrival[direction] = max(lastArrival[direction], world.now.advanced(delay))
        deliver(direction, .end)
    }

    /// Breaks the connection: parcels in flight are lost from some point on.
    func cut() {
        for direction in 0..<2 where !isOver[direction] {
            isOver[direction] = true
            let other = 1 - direction
            let action = Event.action { [self] in
                let end = ends[other]
                ends[other] = nil
                end?.ended(reason: "cut")
            }
            world.schedule(at: world.now.advanced(world.delay()), targets[other], action)
        }
    }

    func stall(_ span: Duration) { stalledUntil = max(stalledUntil, world.now + span) }

    /// Releases both ends at the end of the run.
    func release() { ends = [nil, nil] }

    /// Delivers a parcel to an end.
    func arrived(_ parcel: Parcel, at place: Int) {
        guard let end = ends[place] else { return }
        guard case .end = parcel else { return end.arrived(parcel) }
        end.ended(reason: "closed by the peer")
    }

    private func deliver(_ direction: Int, _ parcel: consuming Parcel) {
        let time = max(world.now.advanced(world.delay()), lastArrival[direction], stalledUntil)
        lastArrival[direction] = time
        let other = 1 - direction
        world.schedule(at: time, targets[other], .arrival(consume parcel, self, end: other))
    }
}
