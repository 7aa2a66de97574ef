import DeviceEngine
import Foundation
import LinkProtocol
import Testing

@Suite("The engine's messages and faults")
struct EngineMessageTests {
    private var trial: EngineTrial

    init() throws { trial = try EngineTrial() }

    private func message(_ number: UInt8, wantsReply: Bool = true) -> MessagePackage {
        MessagePackage(
            identifier: EngineTrial.identifier(number), command: .sendMessage, status: .sent, dataPackage: Data(),
            wantsReply: wantsReply, timestamp: Date())
    }

    private mutating func send(_ number: UInt8) -> [String] {
        let package = message(number)
        return trial.tell { engine, moment in
            let refusal = engine.send(package, to: EngineTrial.watch, at: moment)
            #expect(refusal == nil)
        }
    }

    @Test("A message is written, said to be sent when it is, and times out after 30 s")
    mutating func sent() {
        #expect(send(1) == ["write SendMessage 1"])
        #expect(trial.logged.contains("message sent") == false)
        let package = message(1)
        #expect(trial.tell { $0.wrote(package, to: EngineTrial.watch, at: $1) } == [])
        #expect(trial.logged.contains("message sent"))
        #expect(trial.wait(30_000) == ["failed 1: timedOut"])
        #expect(trial.engine.outstandingMessages == 0)
    }

    @Test("A message that cannot be written fails with the reason, and is not outstanding")
    mutating func unwritten() {
        _ = send(1)
        let package = message(1)
        #expect(
            trial.tell { $0.unwritten(package, to: EngineTrial.watch, of: nil, .queueFull, at: $1) }
                == ["failed 1: queueFull"])
        #expect(trial.engine.outstandingMessages == 0)
    }

    @Test("A watch that does not read its answers is disconnected; one that is gone is not")
    mutating func deaf() {
        let package = message(1)
        #expect(trial.tell { $0.received(package, from: EngineTrial.device, bytes: 1, at: $1) } == ["deliver 1"])
        #expect(
            trial.tell { $0.answer(package, of: EngineTrial.watch, with: .reply(Data()), at: $1) }
                == ["write Replied to 1"])
        let answer = MessagePackage(
            identifier: EngineTrial.identifier(9), command: .sendMessage, status: .replied,
            answers: EngineTrial.identifier(1), timestamp: Date())
        #expect(
            trial.tell { $0.unwritten(answer, to: EngineTrial.watch, of: nil, .queueFull, at: $1) }
                == ["disconnect: the peer stopped reading"])
        #expect(trial.tell { $0.unwritten(answer, to: EngineTrial.watch, of: nil, .notConnected, at: $1) } == [])
    }

    @Test("A message is answered once; a second answer is said to be too late, and not written")
    mutating func twice() {
        let package = message(1)
        _ = trial.tell { $0.received(package, from: EngineTrial.device, bytes: 1, at: $1) }
        _ = trial.tell { $0.answer(package, of: EngineTrial.watch, with: .reply(nil), at: $1) }
        #expect(trial.tell { $0.answer(package, of: EngineTrial.watch, with: .reply(nil), at: $1) } == [])
        #expect(trial.logged.contains("reply too late"))
    }

    @Test("A watch that cannot be told how the phone is, is disconnected")
    mutating func untold() {
        let effects = trial.tell { $0.change(at: $1) { $0.enter(.background) } }
        #expect(effects.contains("write State"))
        let state = MessagePackage(
            identifier: EngineTrial.identifier(9), command: .state, status: .sent, timestamp: Date())
        #expect(
            trial.tell { $0.unwritten(state, to: EngineTrial.watch, of: nil, .notConnected, at: $1) }
                == ["disconnect: the peer stopped reading"])
    }

    // MARK: - Faults

    @Test("For its sender a message that a fault drops is on its way")
    mutating func dropped() throws {
        trial = try EngineTrial(faults: ["drop message"])
        #expect(send(1).map { $0.prefix(5) } == ["fault"])
        #expect(trial.logged.contains("message sent"))
        #expect(trial.engine.outstandingMessages == 1)
    }

    @Test("A message that is doubled is written twice, and counts as sent once")
    mutating func doubled() throws {
        trial = try EngineTrial(faults: ["duplicate message"])
        #expect(send(1).dropFirst() == ["write SendMessage 1", "write late SendMessage 1"])
    }

    @Test("A message that is held back goes out when its time has come")
    mutating func delayed() throws {
        trial = try EngineTrial(faults: ["delay message by=2s"])
        #expect(send(1).count == 1)
        #expect(trial.wait(2_000) == ["write late SendMessage 1"])
    }

    @Test("Reachability that flaps changes at each period")
    mutating func flapping() {
        let fault = ReachabilityFault(flapPeriod: .seconds(2))
        _ = trial.tell { $0.setReachability(fault, at: $1) }
        let first = trial.wait(2_000)
        let second = trial.wait(2_000)
        #expect(first != second)
        #expect((first + second).filter { $0.hasPrefix("news reachability") }.count == 2)
    }

    // MARK: - Refusals, notes and releases

    @Test("A message to a watch that is not there is refused, and nothing is written")
    mutating func refused() {
        let package = message(1)
        var refusal: MessageFailure?
        let effects = trial.tell { refusal = $0.send(package, to: EngineTrial.identifier(50), at: $1) }
        #expect(effects == [])
        #expect(refusal == .notReachable)
        #expect(trial.engine.outstandingMessages == 0)
    }

    @Test("A message that is under way is not sent a second time")
    mutating func underWay() {
        _ = send(1)
        let package = message(1)
        var refusal: MessageFailure?
        let effects = trial.tell { refusal = $0.send(package, to: EngineTrial.watch, at: $1) }
        #expect(effects == [])
        #expect(refusal == .underWay)
        #expect(trial.engine.outstandingMessages == 1)
    }

    @Test("Only a message that wants a reply is noted as replied to", arguments: [true, false])
    mutating func replied(wantsReply: Bool) {
        let package = message(1, wantsReply: wantsReply)
        _ = trial.tell { $0.received(package, from: EngineTrial.device, bytes: 1, at: $1) }
        #expect(
            trial.tell { $0.answer(package, of: EngineTrial.watch, with: .reply(nil), at: $1) }
                == ["write Replied to 1"])
        let expected: [LedgerEntry.State] = wantsReply ? [.received, .replied] : [.received]
        #expect(trial.noted.map(\.state) == expected)
        _ = trial.tell { $0.delivered(package, from: EngineTrial.watch, bytes: 1, at: $1) }
        #expect(trial.noted.last?.state == .delivered)
        #expect(trial.engine.undeliveredPackages == 0)
    }

    @Test("An answer that is a failure is written with its reason in the notes")
    mutating func failing() {
        let package = message(1)
        _ = trial.tell { $0.received(package, from: EngineTrial.device, bytes: 1, at: $1) }
        #expect(
            trial.tell {
                $0.answer(package, of: EngineTrial.watch, with: .failure(.deliveryFailed, reason: "no"), at: $1)
            } == ["write Failed to 1"])
        #expect(trial.noted.map(\.state) == [.received, .failed])
        #expect(trial.noted.last?.cause == "no")
    }

    @Test("Only messages are said to be sent, and only their answers to be replies")
    mutating func wrote() {
        for command in [Command.state, .fileProgress, .transferUserInfo] {
            let package = MessagePackage(
                identifier: EngineTrial.identifier(9), command: command, status: .sent, timestamp: Date())
            #expect(trial.tell { $0.wrote(package, to: EngineTrial.watch, at: $1) } == [])
        }
        #expect(!trial.logged.contains("message sent"))
        let answer = MessagePackage(
            identifier: EngineTrial.identifier(9), command: .sendMessage, status: .replied,
            answers: EngineTrial.identifier(1), timestamp: Date())
        _ = trial.tell { $0.wrote(answer, to: EngineTrial.watch, at: $1) }
        #expect(trial.logged.contains("message replied"))
        #expect(!trial.logged.contains("message sent"))
    }

    @Test("A held message goes out when the faults are released, and not after its connection is gone")
    mutating func held() throws {
        for isGone in [false, true] {
            trial = try EngineTrial(faults: ["hold message"])
            #expect(send(1).count == 1)
            if isGone { _ = trial.disconnect() }
            let released = trial.tell { engine, moment in
                engine.changeFaults(at: moment) { faults in ((), faults.release()) }
            }
            let expected = isGone ? [] : ["write late SendMessage 1"]
            #expect(released == expected)
        }
    }

    @Test("Reachability that no longer flaps stays as it is")
    mutating func steady() {
        _ = trial.tell { $0.setReachability(ReachabilityFault(flapPeriod: .seconds(2)), at: $1) }
        _ = trial.tell { $0.setReachability(ReachabilityFault(), at: $1) }
        let next = trial.engine.nextDeadline
        #expect(next == nil)
    }
}
