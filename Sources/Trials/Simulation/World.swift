import DeviceEngine
import Foundation
import LinkProtocol
import QuizSync
import RecordStorage

/// A phone and its watches, their links, disks and time: one thread, decided by one seed.
package final class World {
    /// The time within which everything must settle after the faults stop, for each watch served in turn.
    private static let patience: Duration = .seconds(900)
    /// The limit on scheduled events: some hundred are usual, and a queue that grows without bound soon exceeds this.
    private static let maximumWaiting = 20_000
    /// The limit on events of a run, which usually has some thousands.
    private static let maximumEvents = 2_000_000

    package let plan: Plan
    let bug: PlantedBug?
    /// True if packages travel as encoded frames.
    let carriesBytes: Bool
    /// True if a byte-level link is tried as well.
    private let triesLink: Bool
    /// Encodes and decodes packages in worlds that carry real bytes; nil in others. Shared by all devices: what is
    /// encoded and decoded does not depend on the packages before.
    let templates: PackageTemplates?
    /// True if what the apps know is compared with the truth after each change, and quizzes have several waiters.
    let isThorough: Bool
    let times: LinkTimes
    /// The interval of heartbeats.
    let heartbeat: Nanoseconds
    private(set) var now = MonotonicTime(nanoseconds: 0)
    // Unchecked, here and in the parts of the world: a run uses one thread, no access calls out, and the exclusivity
    // checks took a tenth of a run.
    @exclusivity(unchecked) var random: SeededGenerator
    @exclusivity(unchecked) var chronicle = Chronicle()
    @exclusivity(unchecked) private(set) var nodes: [DeviceNode] = []
    @exclusivity(unchecked) private var queue = EventQueue()
    /// All connections of the run, released at its end.
    @exclusivity(unchecked) private var connections: [SimulatedConnection] = []
    private(set) var latency: Nanoseconds
    @exclusivity(unchecked) var weather: Weather
    @exclusivity(unchecked) var calmItems = NameTable<CalmItem>()
    @exclusivity(unchecked) var notes = NoteBook()
    /// True if an offer or a withdrawal of a file has met a fault: a part may then stay open until the connection ends.
    var mayLeaveParts = false
    /// True for each watch whose complication is shown.
    var complications: [UUID: Bool] = [:]
    /// The share of transfers and file pieces for which the link's queue is full.
    private let linkRefusals: Double
    private var lastIdentifier = 0
    private var lastName = 0
    /// The validity of each quiz.
    private var quizzes = NameTable<Bool>()
    private var replied = NameSet()
    /// The contents of packages that have no bytes.
    private var chunks: [IdentifierKey: FilePackage.Chunk] = [:]
    private var hellos: [IdentifierKey: Hello] = [:]
    private var nodeNames: [UUID: String] = [:]
    private var transfers: [(identifier: UUID, from: Int)] = []
    private let onTrace: ((String) -> Void)?
    private var areFaultsOver = false
    /// True once the owner has set up the watches that do not pair by themselves.
    private(set) var isSetUp = false

    /// The time that the owner takes to set up the watches, in nanoseconds.
    private static let setUp: Nanoseconds = 20 * .second

    /// One seed in 20 carries real bytes, as these cost several times as much as values.
    private static let seedsWithoutBytes: UInt64 = 20
    /// One seed in 40 tries a link besides, as that costs as much as two worlds.
    private static let seedsWithoutLink: UInt64 = 40
    /// One seed in eight is thorough, as that costs a tenth more.
    private static let seedsToThorough: UInt64 = 8

    /// - Parameters:
    ///   - carriesBytes: True if packages travel as bytes and a link is tried, whatever the seed.
    ///   - onTrace: Called with a line for each event.
    package init(
        _ plan: Plan, bug: PlantedBug? = nil, carriesBytes: Bool = false, onTrace: ((String) -> Void)? = nil
    ) {
        self.plan = plan
        self.bug = bug
        self.carriesBytes = carriesBytes || plan.seed.isMultiple(of: Self.seedsWithoutBytes)
        triesLink = carriesBytes || plan.seed.isMultiple(of: Self.seedsWithoutLink)
        templates = self.carriesBytes ? PackageTemplates() : nil
        isThorough = plan.seed % Self.seedsToThorough == 1
        self.onTrace = onTrace
        random = SeededGenerator(seed: plan.seed ^ 0x5EED)
        // The heartbeat interval is a setting; simulated links are mostly quiet.
        var times = LinkTimes()
        times.heartbeat = .seconds(10 + Int(random.unit() * 110))
        times.silence = times.heartbeat * 7 / 2
        times.acknowledgement = max(.seconds(60), times.silence * 2)
        self.times = times
        heartbeat = times.heartbeat.wholeNanoseconds
        latency = Int64(1e6 + random.unit() * 150e6)
        linkRefusals = random.happens(0.3) ? 0.1 : 0
        weather = Weather(devices: plan.watches + 1, times: times)
        for index in 0...plan.watches {
            nodes.append(DeviceNode(index, world: self))
            nodes[index].disk.slowness = plan.slowness.wholeNanoseconds
        }
        for node in nodes { nodeNames[node.device.identifier] = node.device.name }
        notes.devices = nodes.map(\.device.identifier)
    }

    // MARK: - The run

    /// The result of a run.
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
            weather.begin(node.index, at: now.advanced(meeting))
        }
        scheduleStep(0)
        if plan.pairing != .automatic { schedule(after: Self.setUp) { [unowned self] in pairAll() } }
        var events = 0
        run(until: MonotonicTime(nanoseconds: 0) + Plan.trouble, &events)
        endAllFaults()
        // Where the phone serves one watch at a time, each gets a turn.
        for watch in nodes.dropFirst() where chronicle.violation == nil {
            serve(watch.index)
            run(until: now + Self.patience, &events) { [unowned self] in
                // A paused device does what was asked of it when it goes on.
                chronicle.isSettled && haveAllEnded && isInTouch(watch.index)
                    && nodes.allSatisfy { $0.pausedUntil == nil && $0.resumedAt < now }
            }
        }
        // For packages in flight at the last end, and for a device that has been paused until then.
        let lastPause = nodes.compactMap(\.pausedUntil).max() ?? now
        run(until: max(now, lastPause) + .seconds(10), &events)
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

    /// Gives the watches their code, or pairs those that the phone must know first.
    private func pairAll() {
        isSetUp = true
        guard plan.pairing == .manual else { return }
        for watch in nodes.dropFirst() {
            administer { presence throws(PairingError) in
                presence.companions[watch.device.identifier] == nil ? try presence.pair(watch.device.identifier) : []
            }
        }
        // A crash may have lost the record, and a phone that does not run gets none.
        schedule(after: Self.setUp) { [unowned self] in pairAll() }
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
                if events > Self.maximumEvents { chronicle.fail(.settles, "\(events) events without an end") }
            }
        }
        if queue.nextTime.map({ $0 > end }) ?? true { now = max(now, end) }
    }

    /// True when no device waits for the end of a transfer or a message, whether or not a handler tells of it: an answer lost to
    /// a fault is awaited until it is overdue.
    private var haveAllEnded: Bool {
        nodes.allSatisfy { $0.process?.ask { $0.pendingTransfers + $0.outstandingMessages } == 0 }
    }

    /// Returns true if the node is still in the target's life.
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

    /// Schedules one step at a time, so that the queue stays short.
    private func scheduleStep(_ number: Int) {
        if number < plan.steps.count { schedule(at: plan.steps[number].time, .world, .step(number)) }
    }

    /// Breaks the reference cycles: the parts of a world hold it, as references that never change need no counting.
    private func release() {
        for connection in connections { connection.release() }
        connections = []
        for node in nodes {
            node.process?.letGo()
            node.process = nil
            node.backlog.removeAll()
            node.app.letGo()
            node.session.letGo()
            node.files.letGo()
        }
        nodes = []
        queue = EventQueue()
    }

    private func checkBounds() {
        if queue.count > Self.maximumWaiting { chronicle.fail(.bounded, "\(queue.count) events wait") }
    }

    /// Judges the sharing of the link separately from the devices, whose packages have no size here.
    private func checkLink() {
        // A device bug does not affect the link.
        let isOfLink = bug.map { [.messagesFirst, .transfersGoOn].contains($0.invariant) } ?? triesLink
        guard isOfLink, chronicle.violation == nil, let failure = LinkTrial(seed: plan.seed).judge(bug) else {
            return
        }
        chronicle.fail(failure.invariant, failure.detail)
    }

    /// Stops the faults: all devices are up, in range, in the foreground, and of one version.
    private func endAllFaults() {
        areFaultsOver = true
        trace { "the faults stop" }
        latency = 20_000_000
        for node in nodes { disturb(node.index) }
        let version = nodes.map(\.version).max() ?? ProtocolVersion.spoken.upperBound
        for node in nodes {
            // A pause ends by itself: the events that wait for its end must keep their order.
            node.isLinkUp = true
            node.disk = DiskCondition(slowness: plan.slowness.wholeNanoseconds)
            if node.version != version {
                node.crash()
                node.version = version
            }
            node.start()
            node.process?.endFaults()
            for deed in [DeviceDeed.foreground, .unlock, .wristUp, .workoutEnd, .install] {
                carryOut(deed, on: node.index)
            }
        }
        for watch in nodes.dropFirst() { takeBack(watch.index) }
    }

    private func resume(_ node: DeviceNode) {
        node.pausedUntil = nil
        node.resumedAt = now
        for (target, event) in node.backlog { queue.add(at: now, target, event) }
        node.backlog.removeAll()
    }

    /// Replaces the program by its next version, which speaks another protocol.
    private func upgrade(_ node: DeviceNode) {
        node.crash()
        node.version += 1
        schedule(after: .second) { node.start() }
    }

    /// Makes the phone serve this watch, or as soon as it appears if it never did.
    func serve(_ watch: Int) {
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

    /// Returns the time a package takes: the link's latency, and up to as much again.
    func delay() -> Nanoseconds { latency + Int64(random.unit() * Double(latency)) }
    func callDelay() -> Nanoseconds { Int64(1e4 + random.unit() * random.unit() * 5e6) }
    /// Returns the time the app's delegate takes for a call: sometimes several seconds.
    func delegateDelay() -> Nanoseconds {
        if bug == .dawdles, random.happens(0.01) { return 300 * .second }
        return random.happens(0.05) && !areFaultsOver ? Int64(random.unit() * 5e9) : callDelay()
    }
    /// Returns true if there is no room for a large package: the memory for a peer that does not read is used up.
    func isLinkFull() -> Bool { !areFaultsOver && random.happens(linkRefusals) }

    /// Returns the delay until a peer learns that a process has ended: mostly zero.
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

    // MARK: - Contents

    func connection(from watch: Int) -> SimulatedConnection {
        let connection = SimulatedConnection(connections.count + 1, watch: watch, world: self)
        connections.append(connection)
        return connection
    }

    /// Returns the package that represents or contains a piece of a file.
    func package(of chunk: FilePackage.Chunk, timestamp: Date) throws -> MessagePackage {
        guard !carriesBytes else {
            return try FilePackage.chunk(chunk, identifier: identifier(), timestamp: timestamp)
        }
        let package = MessagePackage(
            identifier: identifier(), command: .fileChunk, status: .sent, timestamp: timestamp)
        chunks[package.identifier] = chunk
        return package
    }

    /// Returns the chunk a package represents; nil if the package contains it.
    func chunk(of package: MessagePackage) -> FilePackage.Chunk? {
        package.command == .fileChunk && !carriesBytes ? chunks[package.identifier] : nil
    }

    /// Returns the package that represents or contains a hello.
    func package(of hello: Hello, timestamp: Date) throws -> MessagePackage {
        guard !carriesBytes else { return try hello.package(identifier: identifier(), timestamp: timestamp) }
        let package = MessagePackage(identifier: identifier(), command: .hello, status: .sent, timestamp: timestamp)
        hellos[package.identifier] = hello
        return package
    }

    /// Returns the hello a package represents; nil if the package contains it.
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

    /// Returns the outbox positions of a watch's quizzes in the phone's database, in row order.
    private func storedPositions(_ watch: DeviceNode) -> [Int64] {
        nodes[0].app.content.rows.filter { $0.device == watch.device.identifier }
            .compactMap { watch.app.content.outbox[$0.identifier]?.position }
    }

    /// Replaces identifiers in a text by the names used in the trace.
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
        if isThorough { for node in nodes { node.process?.checkAlarms() } }
        disturb(with: deed)
        switch deed {
        case .submit(let watch, let isValid):
            guard let process = nodes[watch].process else { return nodes[watch].postponed.append(number) }
            let quiz = named()
            quizzes[quiz] = isValid
            chronicle.submits(quiz, watch: watch, isValid: isValid)
            notes.begins(quiz, .data, from: watch, to: 0)
            begins(quiz, from: watch, to: 0, isMessage: true)
            process.quizzes.submit(quiz)
        case .message(let from, let to, let replies):
            guard let process = nodes[from].process else { return nodes[from].postponed.append(number) }
            let message = named()
            if replies { replied.insert(message) }
            chronicle.sends(message, from: from)
            notes.begins(message, .data, from: from, to: to)
            begins(message, from: from, to: to, isMessage: true)
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

    /// Postpones an item to send until its app runs, or until there is a peer to send it to.
    func postpone(_ step: Int, for span: Nanoseconds) { schedule(at: now.advanced(span), .world, .postponedStep(step)) }

    private func queue(_ kind: TransferKind, _ from: Int, _ to: Int, _ step: Int, size: Int64 = 0) {
        guard let process = nodes[from].process else { return nodes[from].postponed.append(step) }
        guard let peer = peer(of: process, from, to) else { return postpone(step, for: .second) }
        let transfer = named()
        // A context cannot be cancelled.
        if kind != .context { transfers.append((transfer, from)) }
        chronicle.transfers(transfer, kind, from: from, to: to, at: now)
        notes.begins(transfer, kind, from: from, to: to, size: size)
        begins(transfer, from: from, to: to)
        process.queue(transfer, kind, to: peer, size: size)
    }

    /// Returns the peer a transfer is queued for; nil if there is none yet.
    private func peer(of process: SimulatedShell, _ from: Int, _ to: Int) -> UUID? {
        // An app that is not installed sends nothing, and the session refuses to send to one.
        guard process.ask({ $0.session.presence.own.isAppInstalled }) else { return nil }
        guard from == 0 else { return .unknownPeer }
        let (companions, watch) = (process.ask { $0.session.presence.companions }, nodes[to].device.identifier)
        if let companion = companions[watch] {
            return companion.isPaired && companion.isAppInstalled ? watch : nil
        }
        let isPresumed = companions.isEmpty && plan.pairing == .automatic
        let presumesCompanion = process.ask { $0.session.presence.presumesCompanion }
        if presumesCompanion != isPresumed {
            chronicle.fail(.admits, "the phone presumes a watch: \(presumesCompanion), not \(isPresumed)")
        }
        return plan.watches == 1 && presumesCompanion ? .unknownPeer : nil
    }

    func setLinkUp(_ watch: Int, _ isUp: Bool) {
        nodes[watch].isLinkUp = isUp
        if !isUp { for connection in connections where connection.watch == watch { connection.cut() } }
    }

    /// Takes a watch's link away for a while.
    func loseLink(_ watch: Int, for span: Duration) {
        setLinkUp(watch, false)
        schedule(after: span.wholeNanoseconds) { [unowned self] in nodes[watch].isLinkUp = true }
    }

    private func happen(_ deed: Step.Deed) {
        switch deed {
        case .device(let node, let deed): carryOut(deed, on: node)
        case .watch(let watch, let change): carryOut(change, on: watch)
        case .withoutApp(let watch, let onPhone, let span): removeApp(watch, onPhone: onPhone, for: span)
        case .unpaired(let watch, let span): unpair(watch, for: span)
        case .phoneWithoutApp(let span): removePhoneApp(for: span)
        case .activate(let node): nodes[node].process?.act { $0.activate(at: $1) }
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
        case .stall(let watch, let span):
            for connection in connections where connection.watch == watch { connection.stall(span) }
        case .latency(let value): latency = max(value.wholeNanoseconds, 1_000_000)
        case .diskFull(let node, let span, let failures):
            nodes[node].disk.failures = failures
            schedule(after: span.wholeNanoseconds) { [unowned self] in nodes[node].disk.failures = 0 }
        case .diskBusy(let node, let span, let slowness):
            nodes[node].disk.slowness = max(slowness, plan.slowness).wholeNanoseconds
            schedule(after: span.wholeNanoseconds) { [unowned self] in
                nodes[node].disk.slowness = plan.slowness.wholeNanoseconds
            }
        case .clockJump(let node, let seconds): nodes[node].clockOffset += seconds
        case .packages(let node, let rule, let span): nodes[node].process?.meet(rule, for: span)
        case .reachability(let node, let fault, let span): nodes[node].process?.mistake(fault, for: span)
        default: break
        }
    }
}
