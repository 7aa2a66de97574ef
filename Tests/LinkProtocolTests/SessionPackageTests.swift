import Foundation
import Testing

@testable import LinkProtocol

@Suite("Packages of a session")
struct SessionPackageTests {
    private let base = SessionStateMachineTests()
    private var watch: Device { base.watch }

    private func package(
        _ command: Command, _ status: DeliveryStatus = .sent, answers: UUID? = nil, code: Int? = nil
    ) -> MessagePackage {
        MessagePackage(
            identifier: UUID(), command: command, status: status, errorMessage: code.map { "code \($0)" },
            errorCode: code, answers: answers, timestamp: Date(timeIntervalSince1970: 0))
    }

    /// Returns the actions in words.
    private func words(_ actions: [SessionStateMachine.Action]) -> [String] {
        actions.map { action in
            switch action {
            case .presence: "presence"
            case .deliver(_, _, let bytes): "deliver \(bytes)"
            case .refuse: "refuse"
            case .keep(let package, _, let bytes): "keep \(package.command.rawValue) of \(bytes)"
            case .leave(let kind, _): "leave \(kind.rawValue)"
            case .transferAnswered: "transfer answered"
            case .fileProgressed(_, let offset, _): "file progressed to \(offset)"
            case .fileCancelled: "file cancelled"
            case .replied: "replied"
            case .failed: "failed"
            case .stray: "stray"
            case .misbehaved(_, let error): "misbehaved: \(error)"
            case .setReading(_, let isReading): "reading: \(isReading)"
            }
        }
    }

    private func strays(_ actions: [SessionStateMachine.Action]) -> [StrayReply] {
        actions.compactMap { if case .stray(let reply, _, _) = $0 { reply } else { nil } }
    }

    // MARK: - Back pressure

    @Test("As many bytes as the limit stop the reading, one less does not; half of them resume it, not one more")
    func bytes() {
        let limit = LinkLimits.undeliveredBytes
        var machine = base.machine()
        let came = [
            words(machine.received(base.message(), from: watch, bytes: limit - 1)),
            words(machine.received(base.message(), from: watch, bytes: 1)),
            words(machine.handled(watch.identifier, bytes: limit / 2 - 1)),
            words(machine.handled(watch.identifier, bytes: 1)),
        ]
        #expect(came == [["deliver \(limit - 1)"], ["reading: false", "deliver 1"], [], ["reading: true"]])
    }

    @Test("As many messages as the limit stop the reading, one less does not; half of them resume it, not one more")
    func messages() {
        let limit = LinkLimits.undeliveredMessages
        var machine = base.machine()
        var stops: [Int] = []
        var resumes: [Int] = []
        for number in 1...limit {
            let came = words(machine.received(base.message(), from: watch, bytes: 0))
            if came.contains("reading: false") { stops.append(number) }
        }
        for number in 1...limit {
            let came = words(machine.handled(watch.identifier, bytes: 0))
            if came.contains("reading: true") { resumes.append(number) }
        }
        #expect(stops == [limit])
        #expect(resumes == [limit / 2])
        #expect(machine.undeliveredCount == 0)
    }

    @Test("Content of a former connection makes no room on the next one")
    func formerContent() {
        let limit = LinkLimits.undeliveredBytes
        var machine = base.machine()
        _ = machine.received(base.message(), from: watch, bytes: limit)
        _ = machine.disconnected(watch.identifier, reason: "gone")
        _ = machine.connected(watch, DeviceState(), said: machine.presence.hello, at: at(1))
        let former = words(machine.handled(watch.identifier, bytes: limit))
        #expect(former == [])
        #expect(machine.undeliveredCount == 0)
        let next = words(machine.received(base.message(), from: watch, bytes: limit))
        #expect(next == ["reading: false", "deliver \(limit)"])
        #expect(machine.undeliveredCount == 1)
    }

    // MARK: - Messages

    @Test("A repeated message is not delivered again while it is handled, and does not count")
    func repeated() throws {
        var machine = base.machine()
        let message = base.message()
        let first = [0, 1].map { _ in words(machine.received(message, from: watch, bytes: 1)) }
        #expect(first == [["deliver 1"], []])
        #expect(machine.undeliveredCount == 1)
        let isAnswered = try machine.answering(message.identifier, of: watch.identifier, with: .replied)
        #expect(isAnswered)
        let again = words(machine.received(message, from: watch, bytes: 1))
        #expect(again == ["deliver 1"])
    }

    @Test("A message wakes a suspended app before it is delivered; the next one finds it awake")
    func waking() {
        var machine = base.machine()
        _ = machine.change { $0.enter(.suspended) }
        let came = [0, 1].map { _ in words(machine.received(base.message(), from: watch, bytes: 1)) }
        #expect(came == [["presence", "deliver 1"], ["deliver 1"]])
        #expect(machine.presence.own.application == .background)
    }

    @Test("Each answer to a message ends it as its status says; what cannot follow, and what comes too late, is stray")
    func answers() {
        var machine = base.machine()
        let (failing, waiting) = (UUID(), UUID())
        for message in [failing, waiting] {
            _ = machine.send(message, wantsReply: true, to: watch.identifier, at: at(0))
        }
        let failure = package(.sendMessage, .failed, answers: failing, code: 7_014)
        let failed = machine.received(failure, from: watch, bytes: 1)
        #expect(base.failures(failed) == [.answered(code: 7_014, reason: "code 7014")])
        let illegal = machine.received(package(.sendMessage, .sent, answers: waiting), from: watch, bytes: 1)
        #expect(strays(illegal) == [.illegal(IllegalTransition(from: .sent, to: .sent))])
        #expect(machine.outstandingCount == 1)
        _ = machine.deadlinePassed(at: at(30))
        let late = machine.received(package(.sendMessage, .replied, answers: waiting), from: watch, bytes: 1)
        #expect(strays(late) == [.late])
        for command in [Command.sendMessage, .unrecognized] {
            let unknown = machine.received(package(command, .replied, answers: UUID()), from: watch, bytes: 1)
            #expect(strays(unknown) == [.toNothing], "\(command)")
        }
    }

    @Test("More messages than the limit are refused, a repeat of one as such; one that was not written makes room")
    func refusals() {
        var machine = base.machine()
        let first = UUID()
        let identifiers = [first] + (1..<LinkLimits.outstandingMessages).map { _ in UUID() }
        func send(_ message: UUID) -> MessageFailure? {
            machine.send(message, wantsReply: false, to: watch.identifier, at: at(0))
        }
        let refused = identifiers.compactMap { send($0) }
        #expect(refused == [])
        let more = [send(UUID()), send(first)]
        #expect(more == [.tooMany, .underWay])
        machine.unsent(first, to: watch.identifier)
        #expect(machine.outstandingCount == LinkLimits.outstandingMessages - 1)
        let again = [send(first), send(UUID())]
        #expect(again == [nil, .tooMany])
    }

    // MARK: - Other packages

    private static let transfers: [Command] = [
        .updateApplicationContext, .transferUserInfo, .transferCurrentComplicationUserInfo, .transferFile,
    ]

    @Test("Content is kept if it can be accepted now; otherwise a transfer leaves its place, and a piece is dropped")
    func content() {
        for command in Self.transfers + [.fileChunk] {
            var machine = base.machine()
            let kept = words(machine.received(package(command), from: watch, bytes: 5))
            #expect(kept == ["keep \(command.rawValue) of 5"])
            #expect(machine.undeliveredCount == 1)
            _ = machine.change { $0.change { $0.isLocked = true } }
            let left = words(machine.received(package(command), from: watch, bytes: 5))
            let expected = TransferKind(command).map { ["leave \($0.rawValue)"] } ?? []
            #expect(left == expected, "\(command)")
            #expect(machine.undeliveredCount == 1)
        }
    }

    @Test("A message to a locked phone is refused, and does not count")
    func locked() {
        var machine = base.machine()
        _ = machine.change { $0.change { $0.isLocked = true } }
        let refused = words(machine.received(base.message(), from: watch, bytes: 5))
        #expect(refused == ["refuse"])
        #expect(machine.undeliveredCount == 0)
    }

    @Test("Answers to transfers are passed on, whatever their status; packages of the link change nothing")
    func others() {
        var machine = base.machine()
        for command in Self.transfers {
            let answered = words(machine.received(package(command, .failed, answers: UUID()), from: watch, bytes: 1))
            #expect(answered == ["transfer answered"], "\(command)")
        }
        for command in [Command.hello, .heartbeat, .goodbye, .unrecognized] {
            let ignored = words(machine.received(package(command), from: watch, bytes: 1))
            #expect(ignored == [], "\(command)")
        }
        #expect(machine.undeliveredCount == 0)
    }

    @Test("News of files and states are passed on, and those without content close the connection")
    func news() throws {
        var machine = base.machine()
        let date = Date(timeIntervalSince1970: 0)
        let packages = [
            try FilePackage.progress(UUID(), offset: 9, identifier: UUID(), timestamp: date),
            try FilePackage.cancel(UUID(), identifier: UUID(), timestamp: date),
            try MessagePackage(.state, content: DeviceState().entries, identifier: UUID(), timestamp: date),
            package(.fileProgress), package(.cancel), package(.state),
        ]
        let came = packages.flatMap { words(machine.received($0, from: watch, bytes: 1)) }
        #expect(
            came == [
                "file progressed to 9", "file cancelled", "presence", "misbehaved: bad file package: no content",
                "misbehaved: bad file package: no content", "misbehaved: bad state: no content",
            ])
    }

    @Test(
        "A device that was not admitted is not listened to",
        arguments: [CompanionPolicy.Pairing.manual, .code])
    func strangers(_ rule: CompanionPolicy.Pairing) throws {
        let stranger = Device(identifier: UUID(), role: .companion, name: "s")
        var policy = CompanionPolicy()
        policy.pairing = rule
        var machine = SessionStateMachine(
            PresenceStateMachine(role: .host, policy: policy, state: DeviceState(), companions: []),
            times: LinkTimes())
        _ = machine.connected(stranger, DeviceState(), said: machine.presence.hello, at: at(0))
        let heard = words(machine.received(base.message(), from: stranger, bytes: 1))
        #expect(heard == [])
        let handled = words(machine.handled(stranger.identifier, bytes: 1))
        #expect(handled == [])
        let isAnswered = try machine.answering(UUID(), of: stranger.identifier, with: .replied)
        #expect(!isAnswered)
        let sent = machine.send(UUID(), wantsReply: true, to: stranger.identifier, at: at(0))
        #expect(sent == .notReachable)
    }

    @Test("The next deadline is the earliest of all counterparts, and only what is due times out")
    func deadlines() {
        var policy = CompanionPolicy()
        policy.serving = .all
        var machine = SessionStateMachine(
            PresenceStateMachine(role: .host, policy: policy, state: DeviceState(), companions: []),
            times: LinkTimes())
        _ = machine.change { $0.activate() }
        let devices = (0..<2).map { _ in Device(identifier: UUID(), role: .companion, name: "w") }
        for (index, device) in devices.enumerated() {
            _ = machine.connected(device, DeviceState(), said: machine.presence.hello, at: at(0))
            _ = machine.send(UUID(), wantsReply: true, to: device.identifier, at: at(Double(2 - index)))
        }
        #expect(machine.outstandingCount == 2)
        let first = machine.nextDeadline
        #expect(first == at(31))
        let due = base.failures(machine.deadlinePassed(at: at(31)))
        #expect(due == [.timedOut])
        let second = machine.nextDeadline
        #expect(second == at(32))
    }

    @Test("A phone knows its watches apart; a watch has one phone, whichever it is")
    func counterparts() {
        let device = UUID()
        let counterparts = DeviceRole.allCases.map { role in
            SessionStateMachine(
                PresenceStateMachine(role: role, policy: CompanionPolicy(), state: DeviceState(), companions: []),
                times: LinkTimes()
            ).counterpart(device)
        }
        #expect(counterparts == [device, .unknownPeer])
    }
}
