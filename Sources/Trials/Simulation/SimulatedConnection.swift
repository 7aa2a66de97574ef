import Foundation
import LinkProtocol

/// A stream between a watch and the phone: packages arrive in their order, later or never.
final class SimulatedConnection {
    /// What travels.
    enum Parcel {
        /// A package, and the piece of a file that it stands for.
        case package(MessagePackage, FilePackage.Chunk?)
        case frame([UInt8])
    }

    let number: Int
    let watch: Int
    // Proof of `unowned(unsafe)`: a world outlives its connections.
    private unowned(unsafe) let world: World
    /// The phone's end, then the watch's.
    private var ends: [Endpoint?] = [nil, nil]
    private var lastArrival: [MonotonicTime]
    private var isOver = [false, false]
    private var stalledUntil: MonotonicTime

    init(_ number: Int, watch: Int, world: World) {
        self.number = number
        self.watch = watch
        self.world = world
        lastArrival = [world.now, world.now]
        stalledUntil = world.now
    }

    private static func index(_ isHost: Bool) -> Int { isHost ? 0 : 1 }

    func attach(_ end: Endpoint, isHost: Bool) { ends[Self.index(isHost)] = end }

    /// Takes a parcel from one end to the other.
    func carry(_ parcel: Parcel, fromHost: Bool) {
        let direction = Self.index(fromHost)
        guard !isOver[direction] else { return }
        deliver(direction) { $0.arrived(parcel) }
    }

    /// One end closes; the other learns of it when it has all that was sent before.
    func close(fromHost: Bool, after delay: Nanoseconds = 0) {
        let direction = Self.index(fromHost)
        guard !isOver[direction] else { return }
        isOver[direction] = true
        lastArrival[direction] = max(lastArrival[direction], world.now.advanced(delay))
        deliver(direction) { $0.ended(reason: "closed by the peer") }
    }

    /// The connection breaks: what is on its way is lost from some point on.
    func cut() {
        for direction in 0..<2 where !isOver[direction] {
            isOver[direction] = true
            let other = 1 - direction
            world.schedule(after: world.delay(), ends[other].map { ($0.node, $0.life) }) { [self] in
                let end = ends[other]
                ends[other] = nil
                end?.ended(reason: "cut")
            }
        }
    }

    func stall(_ span: Duration) { stalledUntil = max(stalledUntil, world.now + span) }

    /// Lets go of both ends, when the run is over.
    func release() { ends = [nil, nil] }

    private func deliver(_ direction: Int, _ action: @escaping (Endpoint) -> Void) {
        let time = max(world.now.advanced(world.delay()), lastArrival[direction], stalledUntil)
        lastArrival[direction] = time
        let other = 1 - direction
        world.schedule(at: time, ends[other].map { ($0.node, $0.life) }) { [self] in
            if let end = ends[other] { action(end) }
        }
    }
}
