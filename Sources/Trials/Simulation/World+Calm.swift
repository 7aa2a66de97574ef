import DeviceEngine
import Foundation
import LinkProtocol

/// Items that are sent in calm weather, and their ends.
extension World {
    /// An item that was sent while nothing kept its devices from taking it.
    struct CalmItem {
        let from: Int
        let to: Int
        let since: MonotonicTime
        let bound: Duration
    }

    /// Remembers an item that is sent now, if nothing disturbs its devices.
    ///
    /// - Parameter isMessage: True for an interactive message; a transfer also goes to an app that does not run.
    func begins(_ item: UUID, from: Int, to: Int, isMessage: Bool = false) {
        // The weather first: it is mostly bad, and does not ask the engines.
        guard weather.isCalm(from, to, since: now), isReady(from, isMessage: isMessage),
            isReady(to, isMessage: isMessage), staysAwake(from), nodes[from].versions.overlaps(nodes[to].versions)
        else { return }
        // Delegates sometimes take seconds, and items go one after the other.
        let bound = Duration.seconds(120) + .nanoseconds(latency * 60 * Int64(1 + chronicle.openFiles / 4))
        calmItems[item] = CalmItem(from: from, to: to, since: now, bound: bound)
    }

    /// Checks the end of an item, if it was sent in calm weather that has lasted.
    ///
    /// - Parameter failure: The reason why it failed; nil if it arrived.
    private func ends(_ item: UUID, _ failure: @autoclosure () -> String?) {
        guard let calm = calmItems[item], weather.isCalm(calm.from, calm.to, since: calm.since) else { return }
        if let failure = failure() { return chronicle.fail(.prompt, "\(item) failed in calm weather: \(failure)") }
        if now - calm.since > calm.bound {
            chronicle.fail(.prompt, "\(item) took \((now - calm.since).inSeconds) s in calm weather")
        }
    }

    func messageEnded(_ message: UUID, _ reply: DelegateCalls.Reply) {
        chronicle.handlerCalled(message)
        switch reply {
        case .success: ends(message, nil)
        // Nobody answers, so only the time-out ends it.
        case .failure(.timedOut) where !isReplied(message): break
        case .failure(let failure): ends(message, "\(failure)")
        }
    }

    func transferEnded(_ transfer: UUID, _ ending: OutgoingTransfer.Ending, in life: Int) {
        chronicle.ended(transfer, cause: ending.reason, isFailed: ending.code != nil, in: life)
        guard ending.code == nil else { return ends(transfer, ending.reason ?? "") }
        if let complaint = notes.complaint(aboutEndOf: transfer) { chronicle.fail(.notes, complaint) }
        ends(transfer, nil)
    }

    func quizEnded(_ quiz: UUID, _ end: QuizEnd) {
        chronicle.ended(quiz, end, rows: rows(quiz))
        if !end.isFailed { ends(quiz, nil) }
    }

    /// Checks the time at which the receiver's delegate gets a transfer.
    func transferGiven(_ transfer: UUID) { ends(transfer, nil) }

    /// Returns true if a device is connected, unlocked and served, and its app may get items: a message needs
    /// the watch's app in the foreground, and everything else wakes an app.
    private func isReady(_ index: Int, isMessage: Bool) -> Bool {
        let node = nodes[index]
        guard let process = node.process, node.pausedUntil == nil, node.isLinkUp else { return false }
        let isAwake = process.ask { engine in
            let own = engine.session.presence.own
            guard own.isAppInstalled, !own.isLocked else { return false }
            return index == 0 || !isMessage || own.isInteractive && !engine.session.presence.awaitsDrain
        }
        return isAwake && (index == 0 || isServed(index))
    }

    /// Returns true if an app runs, and not only because content has woken it.
    private func staysAwake(_ index: Int) -> Bool {
        nodes[index].process?.ask { $0.session.presence.own.application.isRunning && !$0.session.presence.awaitsDrain }
            ?? false
    }

    /// Returns true if the phone has the watch's app and serves it, without being about to serve another.
    func isServed(_ watch: Int) -> Bool {
        let identifier = nodes[watch].device.identifier
        return nodes[0].process?.ask {
            guard let companion = $0.session.presence.companions[identifier] else { return false }
            return companion.isPaired && companion.isAppInstalled
                && (plan.serving == .all
                    || $0.session.presence.active?.identifier == identifier
                        && $0.session.presence.activation != .inactive)
        } ?? false
    }

    // MARK: - Disturbances

    /// Records what a deed disturbs.
    func disturb(with deed: Step.Deed) {
        switch deed {
        case .submit, .message, .userInfo, .complication, .context, .file, .cancel: break
        case .activate(let node), .device(let node, _): disturb(node)
        case .watch(_, .switchTo), .latency: for node in nodes { disturb(node.index) }
        case .upgrade(_, let span): for node in nodes { disturb(node.index, for: span) }
        case .crash(let node, let span), .pause(let node, let span), .diskFull(let node, let span, _),
            .diskBusy(let node, let span, _), .packages(let node, _, let span), .reachability(let node, _, let span):
            disturb(node, for: span)
        case .clockJump(let node, _): disturb(node)
        case .phoneWithoutApp(let span): disturb(0, for: span)
        case .cut(let watch), .ghost(let watch), .watch(let watch, _): disturb(watch)
        case .stall(let watch, let span), .withoutApp(let watch, _, let span), .unpaired(let watch, let span):
            disturb(watch, for: span)
        }
    }

    func disturb(_ node: Int, for span: Duration = .zero) { weather.disturb(node, until: now + span) }
}
