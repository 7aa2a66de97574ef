import DeviceEngine
import Foundation
import LinkProtocol

/// Faults on demand, as a tester of the product injects them.
extension SimulatedShell {
    /// The time after which what was due counts as forgotten, in nanoseconds. A second: a device that is not paused does it
    /// at once.
    private static let tardiness = Nanoseconds.second

    /// Applies a rule to packages for a while; then all rules end and held packages proceed.
    func meet(_ rule: FaultRule, for span: Duration) {
        armed.add(rule)
        act { engine, moment in
            engine.changeFaults(at: moment) { faults in
                if world.bug != .sparesPackages { faults.add(rule) }
                return ((), [])
            }
        }
        schedule(after: span.wholeNanoseconds) { [self] in endPackageFaults() }
    }

    /// Makes the device's view of reachability wrong for a while.
    func mistake(_ fault: ReachabilityFault, for span: Duration) {
        mistaken = (fault, world.now)
        act { $0.setReachability(fault, at: $1) }
        schedule(after: span.wholeNanoseconds) { [self] in endReachabilityFault() }
    }

    func endFaults() {
        endPackageFaults()
        endReachabilityFault()
    }

    private func endPackageFaults() {
        if !armed.isEmpty { checkDelays() }
        armed.clear()
        act { $0.changeFaults(at: $1) { ((), $0.clear()) } }
    }

    private func endReachabilityFault() {
        checkMistake()
        mistaken = nil
        act { $0.setReachability(ReachabilityFault(), at: $1) }
    }

    // MARK: - What the faults hit

    /// Notes what a package must meet before the engine receives it.
    func foresee(_ package: MessagePackage, from device: Device) {
        if !armed.isEmpty { armed.receives(package) }
        guard package.answers == nil, TransferKind(package.command)?.isBackground == true, package.command != .fileChunk
        else { return }
        let isWelcome = ask { $0.session.presence.own.isAppInstalled && !$0.session.presence.own.isLocked }
        // A package that a fault delays is judged when it goes on, and a copy of one that is being stored changes nothing.
        guard !isWelcome, armed.isEmpty else {
            welcome.insert(package.identifier)
            if !unwelcome.isEmpty { unwelcome.remove(package.identifier) }
            return
        }
        guard !welcome.contains(package.identifier) else { return }
        unwelcome.insert(package.identifier)
        if world.bug == .takesAll { checkWelcome(of: package.identifier) }
    }

    /// Checks a transfer that the device keeps.
    func checkWelcome(of transfer: UUID) {
        guard unwelcome.contains(transfer) else { return }
        world.chronicle.fail(.takes, "node \(node.index) keeps \(transfer), although its app could not take it")
    }

    func checkInjection(_ package: MessagePackage) {
        guard !armed.isEmpty, !isCarryingOut, let expected = armed.expected, armed.hit != expected else { return }
        world.chronicle.fail(
            .hits, "“\(expected)” hits not \(package.commandName) \(package.identifier), but \(armed.hit as Any)")
    }

    func injected(_ rule: FaultRule, _ passage: FaultStateMachine.Passage) {
        trace { "applies the fault “\(rule)”" }
        world.chronicle.met(rule, passage.package)
        if [.transferFile, .cancel].contains(passage.package.command) { world.mayLeaveParts = true }
        guard ArmedRules.names(rule, passage.package, passage.direction) else {
            return world.chronicle.fail(.hits, "“\(rule)” hits \(passage.package.commandName), \(passage.direction)")
        }
        guard passage.direction == .outgoing else {
            armed.hit = rule
            return
        }
        switch rule.effect {
        case .delay(let span): delays(passage, for: span, rule.target)
        case .hold:
            armed.held.insert(rule.target)
            mayWait(behind: passage)
        // The copies go on from where delayed packages wait.
        case .duplicate: mayWait(behind: passage)
        case .drop, .lose, .reorder: break
        }
    }

    private func mayWait(behind passage: FaultStateMachine.Passage) {
        if let number = endpoint(passage.device.identifier)?.connection.number { armed.delaying.insert(number) }
    }

    private func delays(_ passage: FaultStateMachine.Passage, for span: Duration, _ target: FaultTarget) {
        let device = passage.device.identifier
        guard let number = endpoint(device)?.connection.number else { return }
        // With two watches, each has its own order.
        let due = max(world.now + span, world.plan.watches == 1 ? armed.latest[target] ?? world.now : world.now)
        armed.latest[target] = due
        armed.delaying.insert(number)
        armed.delayed[passage.package.identifier, default: []].append(ArmedRules.Delayed(connection: number, due: due))
    }

    /// Checks a package that goes on after a delay.
    func checkLateness(of package: MessagePackage, to device: UUID) {
        guard var copies = armed.delayed[package.identifier], let number = endpoint(device)?.connection.number else {
            return
        }
        guard let place = copies.firstIndex(where: { $0.connection == number }) else {
            // It may wait behind another one that a fault hits on this connection.
            guard !armed.delaying.contains(number), let connection = copies.first?.connection else { return }
            return world.chronicle.fail(.hits, "\(package.commandName) outlived connection \(connection)")
        }
        let delayed = copies[place]
        // A package that was sent before, and waited behind one whose delay has just ended: this one waits still.
        if armed.ended == world.now, world.now < delayed.due { return }
        if delayed.due == world.now { armed.ended = world.now }
        copies.remove(at: place)
        armed.delayed[package.identifier] = copies
        guard world.plan.watches == 1, !armed.held.contains(where: { $0 == ArmedRules.target(of: package) }) else {
            return
        }
        guard world.now != delayed.due, world.now < delayed.due || node.resumedAt < delayed.due, node.pausedUntil == nil
        else { return }
        world.chronicle.fail(
            .hits, "\(package.commandName) was delayed until \(delayed.due), but goes at \(world.now)")
    }

    /// Checks that no package waits longer than its delay.
    private func checkDelays() {
        guard world.plan.watches == 1, armed.held.isEmpty, node.pausedUntil == nil else { return }
        guard let number = endpoints.last(where: { $0.peer != nil })?.connection.number else { return }
        for copies in armed.delayed.values {
            for copy in copies where copy.connection == number && copy.due < world.now && node.resumedAt < copy.due {
                world.chronicle.fail(.hits, "a package still waits, which was delayed until \(copy.due)")
            }
        }
    }

    /// Checks that nothing that was due is still to be done, whatever the engine takes for its next deadline.
    func checkAlarms() {
        guard node.pausedUntil == nil, node.resumedAt <= world.now.advanced(-Self.tardiness),
            let work = ask({ $0.overdue(since: world.now.advanced(-Self.tardiness)) })
        else { return }
        world.chronicle.fail(.onTime, "node \(node.index) has missed the time of its \(work)")
    }

    /// Checks that a view of reachability that flaps has changed when it should.
    func checkMistake() {
        guard node.pausedUntil == nil else { return }
        let idea = ask { $0.session.presence.reachabilityFault.idea }
        guard let (fault, since) = mistaken else {
            if idea != .right { world.chronicle.fail(.hits, "node \(node.index) is mistaken without a fault: \(idea)") }
            return
        }
        guard let period = fault.flapPeriod, node.resumedAt <= since else { return }
        let span = world.now - since
        let turns = Int(span.inSeconds / period.inSeconds)
        // At the very moment, either is right.
        let isTurning = (span - period * turns) < .milliseconds(1) || (period * (turns + 1) - span) < .milliseconds(1)
        guard !isTurning, idea != Self.idea(of: fault, after: turns) else { return }
        world.chronicle.fail(.hits, "node \(node.index) thinks “\(idea)” after \(turns) turns from “\(fault.idea)”")
    }

    private static func idea(of fault: ReachabilityFault, after turns: Int) -> ReachabilityFault.Idea {
        guard turns > 0 else { return fault.idea }
        let isNever = fault.idea == .never ? turns.isMultiple(of: 2) : !turns.isMultiple(of: 2)
        return isNever ? .never : .right
    }

    // MARK: - What waits for the app

    /// Checks that the device reads from its counterpart if and only if there is room. Every package counts equally.
    func checkReading() {
        guard world.plan.watches == 1, let endpoint = endpoints.last, endpoint.peer != nil else { return }
        let bytes = ask { $0.undeliveredPackages } * world.plan.weight
        guard endpoint.isReading ? bytes >= LinkLimits.undeliveredBytes : bytes <= LinkLimits.undeliveredBytes / 2
        else {
            return
        }
        world.chronicle.fail(
            .bounded,
            "node \(node.index) \(endpoint.isReading ? "reads" : "does not read"), with \(bytes) bytes to handle")
    }

    /// Checks a message on its way to the delegate: the app of a watch gets one in the foreground only.
    func checkAttention(_ message: MessagePackage) {
        guard node.role == .companion, !ask({ $0.session.presence.own.isInteractive }) else { return }
        world.chronicle.fail(.takes, "the app of node \(node.index) gets \(message.identifier) in the background")
    }

    /// Checks a transfer on its way to the delegate.
    func checkGift(_ transfer: ReceivedTransfer) {
        // A session that is about to serve another watch still delivers what it has.
        if ask({ $0.session.presence.activation }) == .notActivated {
            world.chronicle.fail(
                .toldInOrder, "the app of node \(node.index) gets \(transfer.identifier) before its session")
        }
        if let lastGiven { self.lastGiven = max(lastGiven, transfer.position) }
    }
}
