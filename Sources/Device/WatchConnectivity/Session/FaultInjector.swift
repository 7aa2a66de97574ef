import EventLog
import Foundation
import LinkProtocol
import LinkTransport
import Metrics

/// Carries out the rules of faults on what passes: keeps their timer, counts and logs what they meet.
// Proof of `@unchecked Sendable`: used in turns of the loop only, one at a time, which `EventLoop` asserts.
final class FaultInjector: @unchecked Sendable {
    private let loop: EventLoop
    private let logger: Logger
    private var machine: FaultStateMachine
    private var timer: EventLoop.TimerIdentifier?
    private var onPass: (FaultStateMachine.Passage) -> Void = { _ in }
    private var onLoss: (Duration) -> Void = { _ in }

    init(loop: EventLoop, _ rules: [FaultRule], seed: UInt64, logger: Logger) {
        self.loop = loop
        self.logger = logger
        machine = FaultStateMachine(.ofProcess(seed: seed))
        for rule in rules { machine.add(rule) }
    }

    /// Calls back with what has waited, and goes on, and when the link is lost, for how long.
    func start(_ onPass: @escaping (FaultStateMachine.Passage) -> Void, onLoss: @escaping (Duration) -> Void) {
        (self.onPass, self.onLoss) = (onPass, onLoss)
    }

    /// Whether everything passes.
    var isIdle: Bool { machine.isIdle }

    /// What goes on now, of a package that comes by.
    func decide(_ passage: FaultStateMachine.Passage) -> [FaultStateMachine.Passage] {
        let decision = machine.decide(passage, at: .now)
        if let fault = decision.fault {
            SessionMetrics.faults.add(1, fault.effect.name)
            logger.log(
                .faultInjected,
                [
                    .package(passage.package.answers ?? passage.package.identifier), .fault(fault.description),
                    .device(passage.device.identifier),
                ])
            rearm()
        }
        if let loss = decision.loss {
            // Not at once: who has just sent would be told of the loss before it was told that it has sent.
            loop.atEndOfTurn { [onLoss] in onLoss(loss) }
        }
        return decision.passing
    }

    /// Uses the rules; what need not wait any more goes on.
    func use<Result>(_ use: (inout FaultStateMachine) -> (Result, [FaultStateMachine.Passage])) -> Result {
        let former = machine.rules
        let (result, passages) = use(&machine)
        for passage in passages { onPass(passage) }
        if machine.rules != former { logger.log(.faultsChanged, [.count(machine.rules.count)]) }
        return result
    }

    func disconnected(_ device: UUID) { machine.disconnected(device) }

    private func rearm() {
        if let timer { loop.cancel(timer) }
        timer = nil
        guard let deadline = machine.nextDeadline else { return }
        timer = loop.schedule(at: deadline) { [weak self] in
            guard let self else { return }
            for passage in machine.deadlinePassed(at: .now) { onPass(passage) }
            rearm()
        }
    }
}
