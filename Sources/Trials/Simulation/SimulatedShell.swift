import DeviceEngine
import Foundation
import LinkProtocol

/// One life of a device's program: the product's engine in a shell with an unreliable wire, disks and delegate.
final class SimulatedShell {
    let node: DeviceNode
    let world: World
    let target: EventQueue.Target
    var life: Int { Int(target.life) }
    var isAlive = true
    @exclusivity(unchecked) private(set) var engine: DeviceEngine
    /// A reused list for the engine's effects, so that events do not allocate.
    @exclusivity(unchecked) private var effects: [DeviceEngine.Effect] = []
    private(set) var isCarryingOut = false
    /// The time of the engine's next call.
    private var timer: MonotonicTime?

    // The wire.
    @exclusivity(unchecked) var reconnect = ReconnectStateMachine(
        backoff: Backoff(initial: .milliseconds(50), maximum: .seconds(5)))
    /// The phone's connections, or the watch's one, oldest first.
    @exclusivity(unchecked) var endpoints: [Endpoint] = []
    @exclusivity(unchecked) var peers = PeerTable<Int>()
    /// The device state for the next hello packages.
    var greeting: DeviceState

    /// The time since which the watch is connected, and the number of failures in a row.
    var connectedAt: MonotonicTime?
    var failures = 0
    /// The time at which a connection was lost last.
    var lostAt: MonotonicTime?

    // The app, and the presence it was notified of.
    var isActivated = false
    @exclusivity(unchecked) var view = AppView()
    var awaitsDrain = false
    /// The injected faults, and the fault that the package being received must meet.
    @exclusivity(unchecked) var armed = ArmedRules()
    /// The fault in the device's view of reachability, and the time since which it applies.
    var mistaken: (fault: ReachabilityFault, since: MonotonicTime)?
    /// The transfers that arrived while the app could not take them.
    var unwelcome = NameSet()
    var welcome = NameSet()
    /// The number of delivered transfers that the disk failed to remove, and that were not tried again yet.
    var leftovers = 0
    /// The position of the last transfer passed to the delegate; nil after one was discarded, which is read again.
    var lastGiven: Int64? = 0
    /// The presence that the app should know of when it was checked last, and true if it has changed since.
    var told: Told
    var hasPresenceChanged = false
    @exclusivity(unchecked) var calls = DelegateCalls()
    /// A message that waits for its reply.
    struct Waiting {
        let isQuiz: Bool
        let sentAt: MonotonicTime
    }

    @exclusivity(unchecked) var waiting = NameTable<Waiting>()
    /// The number of transfers not yet delivered to the delegate.
    var undelivered: Int
    /// The files that accept pieces.
    var openParts: Set<FileKey> = []
    /// The outgoing files that are open.
    var openSources: Set<IdentifierKey> = []
    /// The number of bytes of each that the receiver has, as it said last.
    @exclusivity(unchecked) var acknowledged: [IdentifierKey: Int64] = [:]

    private(set) lazy var quizzes = QuizApp(self, node, world)

    init(_ node: DeviceNode, _ world: World, life: Int) {
        self.node = node
        self.world = world
        target = EventQueue.Target(node: node.index, life: life)
        var policy = CompanionPolicy()
        policy.serving = world.plan.serving
        policy.pairing = world.plan.pairing
        let presence = PresenceStateMachine(
            role: node.role, policy: policy, state: DeviceState(),
            companions: Array(node.session.content.companions.values))
        engine = DeviceEngine(
            presence, times: world.times, retry: .delivery,
            faults: FaultStateMachine(Chance(seed: world.random.next())), seed: world.random.next(), isLogged: false)
        greeting = presence.hello
        told = Told(presence)
        undelivered = node.session.content.inbox.count
    }

    func start() {
        let records = node.session.content
        let outgoing = records.outgoing.values.sorted { $0.position < $1.position }
        // Transfers that a crash left on the disk and that were never reported.
        for transfer in outgoing { world.chronicle.queued(transfer.identifier) }
        for arrival in records.inbox {
            world.chronicle.arrived(arrival.identifier, isRestart: true)
            world.notes.found(arrival.identifier)
        }
        for transfer in outgoing where transfer.ending == nil { engine.load(transfer) }
        node.files.write { [paths = Set(records.inbox.compactMap(\.path))] in $0.clean(keeping: paths) }
        quizzes.start()
        act { $0.activate(at: $1) }
        if node.role == .companion { perform(reconnect.start()) }
    }

    // MARK: - The engine

    /// Passes an event to the engine, and carries out its effects.
    @discardableResult
    func act<Result>(_ event: (inout DeviceEngine, Moment) -> Result) -> Result {
        let result = event(&engine, Moment(world.now, node.wallClock))
        carryOut()
        return result
    }

    /// Reads from the engine in place: a getter would copy it.
    func ask<Result>(_ question: (inout DeviceEngine) -> Result) -> Result { Self.ask(&engine, question) }

    /// Out of line, where nothing else can change the engine: otherwise a question copies the presence to read it.
    @inline(never)
    private static func ask<Result>(_ engine: inout DeviceEngine, _ question: (inout DeviceEngine) -> Result) -> Result
    {
        question(&engine)
    }

    /// Carries out the engine's effects in order; effects that these cause follow.
    private func carryOut() {
        guard !isCarryingOut else { return }
        isCarryingOut = true
        var taken: [DeviceEngine.Effect] = []
        swap(&taken, &effects)
        while isAlive, engine.takeEffects(into: &taken) { taken.drain(keeping: .max) { perform($0) } }
        swap(&taken, &effects)
        isCarryingOut = false
        checkPresence()
        if world.plan.weight > 0 { checkReading() }
        setTimer()
        drainIfDone()
    }

    private func setTimer() {
        guard let deadline = engine.nextDeadline, timer.map({ deadline < $0 }) ?? true else { return }
        timer = deadline
        schedule(at: deadline, .deadline(self, deadline))
    }

    func deadlinePassed(_ deadline: MonotonicTime) {
        guard timer == deadline else { return }
        timer = nil
        act { $0.deadlinePassed(at: $1) }
    }

    // MARK: - Time

    /// Schedules an event in this life.
    func schedule(at time: MonotonicTime, _ event: consuming Event) {
        world.schedule(at: time, target, consume event)
    }

    func schedule(after delay: Nanoseconds, _ action: @escaping () -> Void) {
        schedule(at: world.now.advanced(delay), .action(action))
    }

    func trace(_ line: () -> String) { world.trace { "node \(node.index): \(line())" } }

    // MARK: - The end

    /// Closes the connections, as the kernel does when a process ends.
    func releaseConnections() {
        // In a fixed order: each draws its delay.
        for endpoint in endpoints {
            endpoint.connection.close(fromHost: node.role == .host, after: world.ghostDelay())
        }
        letGo()
    }

    /// Breaks the reference cycles.
    func letGo() {
        endpoints = []
        calls = DelegateCalls()
    }
}
