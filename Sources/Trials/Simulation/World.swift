import DeviceEngine
import Foundation
import LinkProtocol
import QuizSync

/// A phone and its watches, their links and disks, and time: all of it in one thread, decided by one seed.
package final class World {
    /// How long after the faults stopped everything must have settled, for each watch that is served in turn.
    private static let patience: Duration = .seconds(900)
    /// Events that may wait at once: some hundred are usual; a queue that grows without end passes this soon.
    private static let maximumWaiting = 20_000
    /// Events of a run: a bound for what should be some thousands.
    private static let maximumEvents = 2_000_000

    package let plan: Plan
    let bug: PlantedBug?
    /// Whether packages travel as the bytes of their frames, and a link of bytes is tried.
    let carriesBytes: Bool
    let times: LinkTimes
    private(set) var now = MonotonicTime(nanoseconds: 0)
    // Unchecked, here and in what the world consists of: a run is one thread's, no change of these calls out, and to look for one that
    // does took a tenth of a run.
    @exclusivity(unchecked) var random: SeededGenerator
    @exclusivity(unchecked) var chronicle = Chronicle()
    private(set) var nodes: [DeviceNode] = []
    @exclusivity(unchecked) private var queue = EventQueue()
    /// All of the run: they are let go of at its end.
    private var connections: [SimulatedConnection] = []
    private var latency: Nanoseconds
    /// The share of transfers and pieces of files for which a link has no room.
    private let linkRefusals: Double
    private var lastIdentifier = 0
    private var lastName = 0
    /// Whether each quiz is valid.
    private var quizzes = NameTable<Bool>()
    private var replied = NameSet()
    /// What packages stand for, where these have no bytes.
    private var chunks: [UUID: FilePackage.Chunk] = [:]
    private var hellos: [UUID: Hello] = [:]
    private var nodeNames: [UUID: String] = [:]
    private var transfers: [(identifier: UUID, from: Int)] = []
    private let onTrace: ((String) -> Void)?
    private var areFaultsOver = false

    /// One seed in so many carries real bytes: 20, as these cost several times as much as values.
    private static let seedsWithoutBytes: UInt64 = 20

    /// - Parameters:
    ///   - carriesBytes: Whether packages travel as bytes whatever the seed.
    ///   - onTrace: Called with each event's line.
    package init(
        _ plan: Plan, bug: PlantedBug? = nil, carriesBytes: Bool = false, onTrace: ((String) -> Void)? = nil
    ) {
        self.plan = plan
        self.bug = bug
        self.carriesBytes = carriesBytes || plan.seed.isMultiple(of: Self.seedsWithoutBytes)
        self.onTrace = onTrace
        random = SeededGenerator(seed: plan.seed ^ 0x5EED)
        // How often the sides assure each other that they live is a setting; simulated links are mostly quiet.
        var times = LinkTimes()
        times.heartbeat = .seconds(10 + Int(random.unit() * 110))
        times.silence = times.heartbeat * 7 / 2
        times.acknowledgement = max(.seconds(60), times.silence * 2)
        self.times = times
        latency = Int64(1e6 + random.unit() * 150e6)
        linkRefusals = random.happens(0.3) ? 0.1 : 0
        for index in 0...plan.watches { nodes.append(DeviceNode(index, world: self)) }
        for node in nodes { nodeNames[node.device.identifier] = node.device.name }
    }

    // MARK: - The run

    /// What a run was.
    package struct Outcome: Sendable {
        package let violation: Violation?
        package let messages: Int
        package let simulated: Duration
        package let events: Int
    }

    package func run() -> Outcome {
        defer { release() }
        for node in nodes {
            let meeting = node.index == 0 ? 0 : plan.meeting.wholeNanoseconds
            schedule(after: meeting + delay()) { node.start() }
        }
        scheduleStep(0)
        var events = 0
        run(until: MonotonicTime(nanoseconds: 0) + Plan.trouble, &events)
        calmDown()
        // Where the phone serves one watch at a time, each has its turn.
        for watch in nodes.dropFirst() where chronicle.violation == nil {
            serve(watch.index)
            run(until: now + Self.patience, &events) { [unowned self] in chronicle.isSettled && haveTransfersEnded }
        }
        // What was on its way when the last end came.
        run(until: now + .seconds(10), &events)
        if chronicle.violation == nil {
            for watch in nodes.dropFirst() { chronicle.stored(watch: watch.index, positions: storedPositions(watch)) }
            chronicle.judge { [unowned self] in
                rows($0)
            } isPending: { [unowned self] quiz, watch in
                nodes[watch].app.content.outbox[quiz] != nil
            }
        }
        checkBounds()
        checkRest()
        checkLink()
        let violation = chronicle.violation.map {
            Violation(invariant: $0.invariant, detail: named($0.detail), time: Double(now.nanoseconds) / 1e9)
        }
        return Outcome(
            violation: violation, messages: chronicle.sent, simulated: .nanoseconds(now.nanoseconds), events: events)
    }

    private func run(until end: MonotonicTime, _ events: inout Int, _ isDone: () -> Bool = { false }) {
        while chronicle.violation == nil, let time = queue.nextTime, time <= end {
            guard let (target, event) = queue.popFirst() else { break }
            now = max(now, time)
            guard isThere(target) else { continue }
            guard target.life == 0 || nodes[Int(target.node)].pausedUntil == nil else {
                nodes[Int(target.node)].backlog.append((target, event))
                continue
            }
            perform(consume event)
            events += 1
            if events % 64 == 0 {
                if isDone() { return }
                checkBounds()
                if events > Self.maximumEvents { chronicle.fail(.settles, "\(events) events, and no end") }
            }
        }
        if queue.nextTime.map({ $0 > end }) ?? true { now = max(now, end) }
    }

    /// Whether every device has heard of its transfers' ends: an answer that a fault dropped is waited for until it is overdue.
    private var haveTransfersEnded: Bool { nodes.allSatisfy { $0.process?.ask { $0.pendingTransfers } == 0 } }

    /// Whether it is still the life of its node.
    private func isThere(_ target: EventQueue.Target) -> Bool {
        guard target.life > 0 else { return true }
        let node = nodes[Int(target.node)]
        return node.process != nil && node.lives == target.life
    }

    private func perform(_ event: consuming Event) {
        switch consume event {
        case .nothing: break
        case .step(let number):
            scheduleStep(number + 1)
            perform(step: number)
        case .postponedStep(let number): if !areFaultsOver { perform(step: number) }
        case .arrival(let parcel, let connection, let end): connection.arrived(parcel, at: end)
        case .deadline(let device, let time): device.deadlinePassed(time)
        case .call(let device): device.runNextCall()
        case .reconnection(let device): device.reconnectionIsDue()
        case .endpointDeadline(let endpoint): endpoint.deadlinePassed()
        case .action(let action): action()
        }
    }

    /// Step after step, as they come in their order: the queue is short.
    private func scheduleStep(_ number: Int) {
        if number < plan.steps.count { schedule(at: plan.steps[number].time, .world, .step(number)) }
    }

    private func release() {
        for connection in connections { connection.release() }
        for node in nodes {
            node.process?.letGo()
            node.process = nil
            node.backlog.removeAll()
            node.app.letGo()
            node.session.letGo()
            node.files.letGo()
        }
        queue = EventQueue()
    }

    private func checkBounds() {
        if queue.count > Self.maximumWaiting { chronicle.fail(.bounded, "\(queue.count) events wait") }
    }

    /// What the link gives to whom: apart from the devices, whose packages have no size here.
    private func checkLink() {
        // A bug of the devices says nothing about the link.
        let isOfLink = bug.map { [.messagesFirst, .transfersGoOn].contains($0.invariant) } ?? carriesBytes
        guard isOfLink, chronicle.violation == nil, let failure = LinkTrial(seed: plan.seed).judge(bug) else {
            return
        }
        chronicle.fail(failure.invariant, failure.detail)
    }

    /// At rest nothing is held for anybody.
    private func checkRest() {
        guard chronicle.violation == nil else { return }
        for node in nodes {
            guard let process = node.process else { continue }
            let counts = [
                ("packages that are not handled", process.engine.undeliveredPackages),
                ("messages without a reply", process.engine.outstandingMessages),
                ("calls of the delegate", process.calls.waiting.count),
                ("transfers that are not over", process.engine.pendingTransfers),
                ("transfers that the delegate has not had", process.undelivered),
                ("ends of transfers that the delegate knows", node.session.content.ended.count),
            ]
            for (what, count) in counts where count > 0 {
                chronicle.fail(.bounded, "node \(node.index) is at rest, and holds \(count) \(what)")
            }
        }
    }

    /// The faults stop: all is up, in range, in the foreground, and of one version.
    private func calmDown() {
        areFaultsOver = true
        trace { "the faults stop" }
        latency = 20_000_000
        let version = nodes.map(\.version).max() ?? ProtocolVersion.spoken.upperBound
        for node in nodes {
            // A pause ends by itself: what waits for its end must stay in its order.
            node.isLinkUp = true
            node.disk = DiskCondition()
            if node.version != version {
                node.crash()
                node.version = version
            }
            node.start()
            node.process?.endFaults()
            node.process?.change { $0.enter(.foreground) }
            node.process?.change { $0.change { $0.isLocked = false } }
            node.process?.change { $0.change { $0.isWristDown = false } }
        }
    }

    private func resume(_ node: DeviceNode) {
        node.pausedUntil = nil
        for (target, event) in node.backlog { queue.add(at: now, target, event) }
        node.backlog.removeAll()
    }

    /// The program is replaced by its next version, which speaks another protocol.
    private func upgrade(_ node: DeviceNode) {
        node.crash()
        node.version += 1
        schedule(after: .second) { node.start() }
    }

    /// The phone talks to this watch; as soon as that has come, if it never did.
    private func serve(_ watch: Int) {
        guard let phone = nodes[0].process else { return }
        var isDone = false
        phone.change { presence in
            do throws(PairingError) {
                let actions = try presence.switchTo(self.nodes[watch].device.identifier)
                isDone = true
                return actions
            } catch {
                return []
            }
        }
        if areFaultsOver, !isDone { schedule(after: .second) { [unowned self] in serve(watch) } }
    }

    // MARK: - Time and chance

    func schedule(at time: MonotonicTime, _ target: EventQueue.Target, _ event: consuming Event) {
        queue.add(at: max(time, now), target, consume event)
    }

    func schedule(after delay: Nanoseconds, _ action: @escaping () -> Void) {
        schedule(at: now.advanced(delay), .world, .action(action))
    }

    /// How long a package takes: the link's latency, and up to as much again.
    func delay() -> Nanoseconds { latency + Int64(random.unit() * Double(latency)) }
    func callDelay() -> Nanoseconds { Int64(1e4 + random.unit() * random.unit() * 5e6) }
    /// How long the app's delegate takes for a call: now and then some seconds.
    func delegateDelay() -> Nanoseconds {
        random.happens(0.05) && !areFaultsOver ? Int64(random.unit() * 5e9) : callDelay()
    }
    /// Whether there is no room for a large package: more of them wait for a peer that does not read than it may cost memory.
    func isLinkFull() -> Bool { !areFaultsOver && random.happens(linkRefusals) }

    /// After how long a peer learns that a process is gone: at once, mostly.
    func ghostDelay() -> Nanoseconds { random.happens(0.2) ? Int64(random.unit() * 30e9) : 0 }

    func identifier() -> UUID {
        lastIdentifier += 1
        return UUID(lastIdentifier, of: .package)
    }

    var isTraced: Bool { onTrace != nil }

    func trace(_ line: () -> String) {
        guard let onTrace else { return }
        onTrace(String(format: "%12.6f  ", Double(now.nanoseconds) / 1e9) + line())
    }

    // MARK: - What there is

    func connection(from watch: Int) -> SimulatedConnection {
        let connection = SimulatedConnection(connections.count + 1, watch: watch, world: self)
        connections.append(connection)
        return connection
    }

    /// The package that stands for a piece of a file, or holds it.
    func package(of chunk: FilePackage.Chunk, timestamp: Date) throws -> MessagePackage {
        guard !carriesBytes else {
            return try FilePackage.chunk(chunk, identifier: identifier(), timestamp: timestamp)
        }
        let package = MessagePackage(
            identifier: identifier(), command: .fileChunk, status: .sent, timestamp: timestamp)
        chunks[package.identifier] = chunk
        return package
    }

    /// What a package stands for; nil where it holds it.
    func chunk(of package: MessagePackage) -> FilePackage.Chunk? {
        package.command == .fileChunk && !carriesBytes ? chunks[package.identifier] : nil
    }

    /// The package that stands for a hello, or holds it.
    func package(of hello: Hello, timestamp: Date) throws -> MessagePackage {
        guard !carriesBytes else { return try hello.package(identifier: identifier(), timestamp: timestamp) }
        let package = MessagePackage(identifier: identifier(), command: .hello, status: .sent, timestamp: timestamp)
        hellos[package.identifier] = hello
        return package
    }

    /// What a hello says; nil where its package holds it.
    func hello(of package: MessagePackage) -> Hello? {
        package.command == .hello && !carriesBytes ? hellos[package.identifier] : nil
    }

    func isQuiz(_ message: UUID) -> Bool { quizzes[message] != nil }
    func isValid(_ quiz: UUID) -> Bool { quizzes[quiz] == true }
    func isReplied(_ message: UUID) -> Bool { replied.contains(message) }
    func name(_ identifier: UUID) -> String {
        nodeNames[identifier] ?? identifier.number(of: .named).map { "#\($0)" } ?? identifier.uuidString
    }

    func rows(_ quiz: UUID) -> Int {
        nodes[0].app.content.quizzes[quiz] ?? 0
    }

    /// The places in a watch's outbox of its quizzes in the phone's database, in the order of the rows.
    private func storedPositions(_ watch: DeviceNode) -> [Int64] {
        nodes[0].app.content.rows.filter { $0.device == watch.device.identifier }
            .compactMap { watch.app.content.outbox[$0.identifier]?.position }
    }

    /// A text with the names of what it is about, as the trace has them.
    private func named(_ text: String) -> String {
        (0..<lastName).reduce(text) { $0.replacing(UUID($1 + 1, of: .named).uuidString, with: "#\($1 + 1)") }
    }

    private func named() -> UUID {
        lastName += 1
        return UUID(lastName, of: .named)
    }

    // MARK: - Steps

    private func perform(step number: Int) {
        let deed = plan.steps[number].deed
        trace { "· \(deed)" }
        switch deed {
        case .submit(let watch, let isValid):
            guard let process = nodes[watch].process else { return nodes[watch].postponed.append(number) }
            let quiz = named()
            quizzes[quiz] = isValid
            chronicle.submits(quiz, watch: watch, isValid: isValid)
            process.quizzes.submit(quiz)
        case .message(let from, let to, let replies):
            guard let process = nodes[from].process else { return nodes[from].postponed.append(number) }
            let message = named()
            if replies { replied.insert(message) }
            chronicle.sends(message, from: from)
            process.send(message, to: nodes[to].device.identifier, isQuiz: false)
        case .userInfo(let from, let to): queue(.userInfo, from, to, number)
        case .complication(let to): queue(.complication, 0, to, number)
        case .context(let from, let to): queue(.context, from, to, number)
        case .file(let from, let to, let chunks):
            queue(.file, from, to, number, size: Int64(chunks * LinkLimits.fileChunkBytes / 2))
        case .cancel(let from):
            if let last = transfers.last(where: { $0.from == from }) { nodes[from].process?.cancel(last.identifier) }
        default: happen(deed)
        }
    }

    /// What an app means to send waits until it runs, or until there is somebody to send it to.
    func postpone(_ step: Int, for span: Nanoseconds) { schedule(at: now.advanced(span), .world, .postponedStep(step)) }

    private func queue(_ kind: TransferKind, _ from: Int, _ to: Int, _ step: Int, size: Int64 = 0) {
        guard let process = nodes[from].process else { return nodes[from].postponed.append(step) }
        guard let peer = peer(of: process, from, to) else { return postpone(step, for: .second) }
        let transfer = named()
        // A context cannot be taken back.
        if kind != .context { transfers.append((transfer, from)) }
        chronicle.transfers(transfer, kind, from: from, to: to)
        process.queue(transfer, kind, to: peer, size: size)
    }

    /// Whom a transfer is queued for; nil where there is nobody yet.
    private func peer(of process: SimulatedDevice, _ from: Int, _ to: Int) -> UUID? {
        let (presence, watch) = (process.ask { $0.presence }, nodes[to].device.identifier)
        guard from == 0, presence.companions[watch] == nil else { return from == 0 ? watch : .unknownPeer }
        return plan.watches == 1 && presence.presumesCompanion ? .unknownPeer : nil
    }

    func setLinkUp(_ watch: Int, _ isUp: Bool) {
        nodes[watch].isLinkUp = isUp
        if !isUp { for connection in connections where connection.watch == watch { connection.cut() } }
    }

    /// A watch's link is gone for a while.
    func loseLink(_ watch: Int, for span: Duration) {
        setLinkUp(watch, false)
        schedule(after: span.wholeNanoseconds) { [unowned self] in nodes[watch].isLinkUp = true }
    }

    private func happen(_ deed: Step.Deed) {
        switch deed {
        case .enter(let node, let state): nodes[node].process?.change { $0.enter(state) }
        case .wristDown(let node, let isDown):
            nodes[node].process?.change { $0.change { $0.isWristDown = isDown } }
        case .reboot: nodes[0].process?.change { $0.reboot() }
        case .activate(let node): nodes[node].process?.act { $0.activate(at: $1) }
        case .unlock: nodes[0].process?.change { $0.change { $0.isLocked = false } }
        case .switchTo(let watch): serve(watch)
        case .crash(let node, let down):
            nodes[node].crash()
            schedule(after: down.wholeNanoseconds) { [unowned self] in nodes[node].start() }
        case .upgrade(let node, let others):
            upgrade(nodes[node])
            let version = nodes[node].version
            schedule(after: others.wholeNanoseconds) { [unowned self] in
                for node in nodes where node.version < version { upgrade(node) }
            }
        case .pause(let node, let span):
            guard nodes[node].process != nil else { return }
            let end = max(now + span, nodes[node].pausedUntil ?? now)
            nodes[node].pausedUntil = end
            schedule(
                at: end, .world,
                .action { [unowned self] in
                    if nodes[node].pausedUntil == end { resume(nodes[node]) }
                })
        case .cut(let watch): for connection in connections where connection.watch == watch { connection.cut() }
        case .ghost(let watch): nodes[watch].process?.leaveGhost()
        case .linkUp(let watch, let isUp): setLinkUp(watch, isUp)
        case .stall(let watch, let span):
            for connection in connections where connection.watch == watch { connection.stall(span) }
        case .latency(let value): latency = max(value.wholeNanoseconds, 1_000_000)
        case .diskFull(let node, let span, let failures):
            nodes[node].disk.failures = failures
            schedule(after: span.wholeNanoseconds) { [unowned self] in nodes[node].disk.failures = 0 }
        case .diskBusy(let node, let span, let slowness):
            nodes[node].disk.slowness = slowness.wholeNanoseconds
            schedule(after: span.wholeNanoseconds) { [unowned self] in nodes[node].disk.slowness = 0 }
        case .clockJump(let node, let seconds): nodes[node].clockOffset += seconds
        case .packages(let node, let rule, let span): nodes[node].process?.meet(rule, for: span)
        case .reachability(let node, let fault, let span): nodes[node].process?.mistake(fault, for: span)
        default: break
        }
    }
}
