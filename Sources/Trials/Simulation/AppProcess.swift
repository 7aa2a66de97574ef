import Foundation
import LinkProtocol
import QuizSync

/// One life of a device's program: the machines of the product, and what carries out their actions here.
final class AppProcess {
    /// A message's sender waits, and has handlers.
    struct Waiting {
        /// A quiz's try is told to the outbox, a plain message's end to the chronicle.
        let isQuiz: Bool
        let target: UUID
    }

    // Proof of `unowned(unsafe)`: a world and its nodes outlive their processes, which they let go of at the end of a run.
    unowned(unsafe) let node: DeviceNode
    unowned(unsafe) let world: World
    let life: Int
    var isAlive = true
    var session: SessionStateMachine
    var transfers: TransferStateMachine
    var outbox: OutboxStateMachine
    var reconnect: ReconnectStateMachine
    var predecessors = PredecessorGate()
    var gate = ArrivalGate()
    /// The phone's connections, or the watch's one.
    var endpoints: [Int: Endpoint] = [:]
    var peers = PeerTable<Int>()
    var waiting: [UUID: Waiting] = [:]
    /// Messages that timed out: what a planted bug answers once more.
    var timedOut: Set<UUID> = []
    var delegate = DelegateWork()

    // The timers that are set, so that each is set once.
    var sessionTimer = false
    var transferTimer: MonotonicTime?
    var outboxTimer = false

    // What waits to be stored or recorded with others.
    var quizArrivals: [(package: MessagePackage, device: Device)] = []
    var quizEnds: [(UUID, OutboxStateMachine.Outcome)] = []
    var unrecordedQuizzes: [(identifier: UUID, end: QuizEnd)] = []
    var isRecording = false
    var transferArrivals: [(package: MessagePackage, device: Device, chunk: FilePackage.Chunk?)] = []
    /// Whether arrivals are on their way into the database.
    var isTakingIn = false
    var transferEnds: [TransferStateMachine.Ending] = []
    /// Ends that the delegate is about to be told.
    var telling: Set<UUID> = []
    var isInboxOpen = false
    var withDelegate: Set<Int64> = []
    var outgoingFiles: [UUID: (machine: FileSendMachine, device: UUID)] = [:]
    var incomingFiles: [UUID: (machine: FileReceiveMachine, device: UUID, package: MessagePackage)] = [:]

    init(_ node: DeviceNode, _ world: World, life: Int) {
        self.node = node
        self.world = world
        self.life = life
        var policy = CompanionPolicy()
        policy.serving = world.plan.serving
        let presence = PresenceStateMachine(
            role: node.role, policy: policy, state: DeviceState(),
            companions: Array(node.session.content.companions.values))
        session = SessionStateMachine(presence, times: world.times)
        let backoff = Backoff(initial: .milliseconds(500), maximum: .seconds(30))
        transfers = TransferStateMachine(backoff: backoff, times: world.times)
        outbox = OutboxStateMachine(backoff: backoff)
        reconnect = ReconnectStateMachine(backoff: Backoff(initial: .milliseconds(50), maximum: .seconds(5)))
    }

    func start() {
        let records = node.session.content
        // What a crash left on the disk, of which nobody was told.
        for transfer in records.outgoing.values.sorted(by: { $0.position < $1.position }) {
            world.chronicle.queued(transfer.identifier)
        }
        for arrival in records.inbox { world.chronicle.arrived(arrival.identifier, isRestart: true) }
        for transfer in records.outgoing.values.sorted(by: { $0.position < $1.position }) where transfer.ending == nil {
            transfers.load(transfer.identifier, transfer.item)
        }
        loadOutbox()
        perform(session.change { $0.activate() })
        if node.role == .companion { perform(reconnect.start()) }
    }

    /// Something later, in this life.
    func schedule(at time: MonotonicTime, _ action: @escaping () -> Void) {
        world.schedule(at: time, (node.index, life), action)
    }

    func schedule(after delay: Nanoseconds, _ action: @escaping () -> Void) {
        schedule(at: world.now.advanced(delay), action)
    }

    func trace(_ line: () -> String) { world.trace { "node \(node.index): \(line())" } }

    /// The process is gone: the kernel closes its connections.
    func releaseConnections() {
        // In one order: each draws its delay.
        for (_, endpoint) in endpoints.sorted(by: { $0.key < $1.key }) {
            endpoint.connection.close(fromHost: node.role == .host, after: world.ghostDelay())
        }
        letGo()
    }

    /// Lets go of all that holds it in turn.
    func letGo() {
        endpoints = [:]
        delegate = DelegateWork()
    }
}

extension SessionRecords.Outgoing {
    var item: TransferStateMachine.Item { TransferStateMachine.Item(peer: peer, kind: kind, position: position) }
}
