import DeviceEngine
import Foundation
import LinkProtocol

/// One life of a device's program: the product's engine, and a shell that carries out its effects on a wire, disks and a delegate
/// that lie.
final class SimulatedDevice {
    // Proof of `unowned(unsafe)`: a world and its nodes outlive their devices' lives, which they let go of at the end of a run.
    unowned(unsafe) let node: DeviceNode
    unowned(unsafe) let world: World
    let target: EventQueue.Target
    var life: Int { Int(target.life) }
    var isAlive = true
    @exclusivity(unchecked) private(set) var engine: DeviceEngine
    /// A list for what the engine wants done, kept so that none is made for each event.
    @exclusivity(unchecked) private var effects: [DeviceEngine.Effect] = []
    private var isCarryingOut = false
    /// When the engine is called next.
    private var timer: MonotonicTime?

    // The wire.
    @exclusivity(unchecked) var reconnect = ReconnectStateMachine(
        backoff: Backoff(initial: .milliseconds(50), maximum: .seconds(5)))
    /// The phone's connections, or the watch's one, the first one first.
    @exclusivity(unchecked) var endpoints: [Endpoint] = []
    @exclusivity(unchecked) var peers = PeerTable<Int>()
    /// Where the world carries real bytes: for all connections, as in the services.
    let templates: PackageTemplates?
    /// What the hellos to come say.
    var greeting: DeviceState

    // The app, and what it was told of presence.
    var isActivated = false
    @exclusivity(unchecked) var reachable: Set<UUID> = []
    var awaitsDrain = false
    @exclusivity(unchecked) var calls = DelegateCalls()
    /// The messages that wait for their reply: whether each is a quiz.
    @exclusivity(unchecked) var waiting = NameTable<Bool>()
    /// Transfers that the delegate has not had.
    var undelivered: Int
    /// Whether the disk did not remove what the delegate has had: it is given again after a restart.
    var keepsSettled = false
    /// Files whose pieces may be appended.
    var openParts: Set<FileKey> = []

    private(set) lazy var quizzes = QuizApp(self, node, world)

    init(_ node: DeviceNode, _ world: World, life: Int) {
        self.node = node
        self.world = world
        target = EventQueue.Target(node: node.index, life: life)
        var policy = CompanionPolicy()
        policy.serving = world.plan.serving
        let presence = PresenceStateMachine(
            role: node.role, policy: policy, state: DeviceState(),
            companions: Array(node.session.content.companions.values))
        engine = DeviceEngine(
            presence, times: world.times, retry: .delivery,
            faults: FaultStateMachine(Chance(seed: world.random.next())), seed: world.random.next(), isLogged: false)
        templates = world.carriesBytes ? PackageTemplates() : nil
        greeting = presence.hello
        undelivered = node.session.content.inbox.count
    }

    func start() {
        let records = node.session.content
        let outgoing = records.outgoing.values.sorted { $0.position < $1.position }
        // What a crash left on the disk, of which nobody was told.
        for transfer in outgoing { world.chronicle.queued(transfer.identifier) }
        for arrival in records.inbox { world.chronicle.arrived(arrival.identifier, isRestart: true) }
        for transfer in outgoing where transfer.ending == nil { engine.load(transfer) }
        node.files.write { [paths = Set(records.inbox.compactMap(\.path))] in $0.clean(keeping: paths) }
        quizzes.start()
        act { $0.activate(at: $1) }
        if node.role == .companion { perform(reconnect.start()) }
    }

    // MARK: - The engine

    /// Tells the engine of an event, and carries out what follows.
    @discardableResult
    func act<Result>(_ event: (inout DeviceEngine, Moment) -> Result) -> Result {
        let result = event(&engine, Moment(world.now, node.wallClock))
        carryOut()
        return result
    }

    /// Looks at the engine in place: a getter would be given a copy of it.
    func ask<Result>(_ question: (inout DeviceEngine) -> Result) -> Result { question(&engine) }

    /// Does what the engine wants, in its order; what that leads to follows behind it.
    private func carryOut() {
        guard !isCarryingOut else { return }
        isCarryingOut = true
        var taken: [DeviceEngine.Effect] = []
        swap(&taken, &effects)
        while isAlive, engine.takeEffects(into: &taken) { taken.drain(keeping: .max) { perform($0) } }
        swap(&taken, &effects)
        isCarryingOut = false
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

    /// Something later, in this life.
    func schedule(at time: MonotonicTime, _ event: consuming Event) {
        world.schedule(at: time, target, consume event)
    }

    func schedule(after delay: Nanoseconds, _ action: @escaping () -> Void) {
        schedule(at: world.now.advanced(delay), .action(action))
    }

    func trace(_ line: () -> String) { world.trace { "node \(node.index): \(line())" } }

    // MARK: - The end

    /// The process is gone: the kernel closes its connections.
    func releaseConnections() {
        // In one order: each draws its delay.
        for endpoint in endpoints {
            endpoint.connection.close(fromHost: node.role == .host, after: world.ghostDelay())
        }
        letGo()
    }

    /// Lets go of all that holds it in turn.
    func letGo() {
        endpoints = []
        calls = DelegateCalls()
    }
}
