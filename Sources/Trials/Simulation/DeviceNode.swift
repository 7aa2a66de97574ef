import Foundation
import LinkProtocol

/// A phone or a watch as hardware: the part that survives its process.
final class DeviceNode {
    let index: Int
    let device: Device
    var role: DeviceRole { device.role }
    /// The highest protocol version its program speaks.
    var version = ProtocolVersion.spoken.upperBound
    /// The protocol versions its program speaks: its own and, mostly, the one before.
    var versions: ClosedRange<Int> { (world.plan.speaksOneVersion ? version : version - 1)...version }
    let app = SimulatedDisk(AppRecords())
    let session = SimulatedDisk(SessionRecords())
    let files = SimulatedDisk(FileRecords())
    var disk = DiskCondition()
    @exclusivity(unchecked) var process: SimulatedShell?
    /// The number of processes it has had.
    var lives = 0
    /// The end of a pause; until then its events wait in order.
    var pausedUntil: MonotonicTime?
    /// The end of its last pause.
    var resumedAt = MonotonicTime(nanoseconds: 0)
    @exclusivity(unchecked) var backlog: [(EventQueue.Target, Event)] = []
    var clockOffset: TimeInterval = 0
    /// Steps that wait until its app runs.
    var postponed: [Int] = []
    /// True while its link may be used: the watch is in range.
    var isLinkUp = true
    private let world: World

    init(_ index: Int, world: World) {
        self.index = index
        self.world = world
        let identifier = UUID(uuid: (0xDE, 0, 0, 0, 0, 0, 0x40, 0, 0x80, 0, 0, 0, 0, 0, 0, UInt8(index)))
        device = Device(identifier: identifier, role: index == 0 ? .host : .companion, name: "node \(index)")
    }

    var wallClock: Date {
        Date(timeIntervalSince1970: 1_800_000_000 + Double(world.now.nanoseconds) / 1e9 + clockOffset)
    }

    // MARK: - Disk

    func isDiskFailing() -> Bool { world.random.happens(disk.failures) }

    /// Returns the time a transaction takes to become durable.
    func syncDelay() -> Nanoseconds { Int64(1e5 + squaredDraw() * 20e6) + slowness() }

    func readDelay() -> Nanoseconds { world.callDelay() + slowness() }

    private func slowness() -> Nanoseconds { disk.slowness == 0 ? 0 : Int64(squaredDraw() * Double(disk.slowness)) }

    /// Returns a number from 0 to 1 that is usually small.
    private func squaredDraw() -> Double { world.random.unit() * world.random.unit() }

    // MARK: - Life cycle

    func start() {
        guard process == nil else { return }
        lives += 1
        world.trace { "node \(index) starts" }
        world.chronicle.restarted(index)
        world.notes.restarted(index)
        let process = SimulatedShell(self, world, life: lives)
        self.process = process
        process.start()
        let steps = postponed
        postponed.removeAll()
        for step in steps { world.postpone(step, for: Nanoseconds(world.random.unit() * 1e9)) }
    }

    /// Ends the process without any cleanup; data its disks had not synced may be lost.
    func crash() {
        guard let process else { return }
        world.trace { "node \(index) crashes" }
        self.process = nil
        process.isAlive = false
        app.crash { world.random.happens(0.5) }
        session.crash { world.random.happens(0.5) }
        files.crash { world.random.happens(0.5) }
        process.releaseConnections()
    }
}
