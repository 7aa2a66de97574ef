import DeviceEngine
import Foundation
import LinkProtocol
import Testing

@Suite("The engine's deadlines")
struct EngineTimeTests {
    private var trial: EngineTrial

    init() throws { trial = try EngineTrial() }

    private func message(_ number: UInt8) -> MessagePackage {
        MessagePackage(
            identifier: EngineTrial.identifier(number), command: .sendMessage, status: .sent, dataPackage: Data(),
            wantsReply: true, timestamp: Date(timeIntervalSince1970: 0))
    }

    private mutating func send(_ number: UInt8) -> [String] {
        let package = message(number)
        return trial.tell { engine, moment in
            let refusal = engine.send(package, to: EngineTrial.watch, at: moment)
            #expect(refusal == nil)
        }
    }

    /// Lets a second pass: the time after which a watch's record that could not be stored is stored.
    private mutating func passSecond() {
        _ = trial.tell { $0.companionUnrecorded(EngineTrial.watch, at: $1) }
        let effects = trial.wait(1_000)
        #expect(effects == ["keep watch"])
    }

    private func retries() -> Int { trial.logged.count { $0 == "transfer retry scheduled" } }

    @Test("When a delayed package has gone, the next one's time is awaited")
    mutating func delays() throws {
        trial = try EngineTrial(faults: ["delay message by=2s", "delay reply by=5s"])
        let sent = send(1)
        #expect(sent.count == 1, "\(sent)")
        let incoming = message(2)
        _ = trial.tell { $0.received(incoming, from: EngineTrial.device, bytes: 1, at: $1) }
        _ = trial.tell { $0.answer(incoming, of: EngineTrial.watch, with: .reply(nil), at: $1) }
        let first = trial.wait(2_000)
        #expect(first == ["write late SendMessage 1"])
        let second = trial.wait(3_000)
        #expect(second == ["write late Replied to 2"])
    }

    @Test("A delayed message of the watch is delivered at its time, and counts from then on")
    mutating func delayedArrival() throws {
        trial = try EngineTrial(faults: ["delay in message by=2s"])
        let package = message(1)
        _ = trial.tell { $0.received(package, from: EngineTrial.device, bytes: 1, at: $1) }
        #expect(trial.engine.undeliveredPackages == 0)
        let due = trial.wait(2_000)
        #expect(due == ["deliver 1"])
        #expect(trial.engine.undeliveredPackages == 1)
    }

    @Test("When the faults end, nothing of theirs is awaited any more")
    mutating func cleared() throws {
        trial = try EngineTrial(faults: ["delay message by=2s"])
        _ = send(1)
        let cleared = trial.tell { engine, moment in
            engine.changeFaults(at: moment) { faults in ((), faults.clear()) }
        }
        #expect(cleared == ["write late SendMessage 1"])
        #expect(trial.engine.faultRules == [])
        let due = trial.wait(30_000)
        #expect(due == ["failed 1: timedOut"])
    }

    @Test("A fault that takes the link down says for how long, and its package is on its way to its sender")
    mutating func lost() throws {
        trial = try EngineTrial(faults: ["lose message for=10s"])
        let package = message(1)
        let effects = trial.effects { engine, moment in
            let refusal = engine.send(package, to: EngineTrial.watch, at: moment)
            #expect(refusal == nil)
        }
        #expect(effects.contains(.loseLink(.seconds(10))))
        #expect(effects.contains(.messageSent(package, to: EngineTrial.watch)))
    }

    @Test("Each message times out after its own 30 s")
    mutating func messages() {
        _ = send(1)
        passSecond()
        _ = send(2)
        let first = trial.wait(29_000)
        #expect(first == ["failed 1: timedOut"])
        let second = trial.wait(1_000)
        #expect(second == ["failed 2: timedOut"])
        let next = trial.engine.nextDeadline
        #expect(next == nil)
    }

    @Test("A transfer without an answer is sent again after 60 s and a pause")
    mutating func overdue() {
        _ = trial.queue(trial.transfer(1))
        let due = trial.wait(60_000)
        #expect(due == [])
        #expect(retries() == 1)
        let again = trial.waitOn()
        #expect(again == ["load [\"1\"], batch 0"])
    }

    @Test("A file whose receiver has more of it is given 60 s again")
    mutating func progress() throws {
        _ = trial.queue(trial.transfer(1, .file, isFile: true))
        _ = trial.tell { $0.sourceOpened(EngineTrial.identifier(1), at: $1) }
        passSecond()
        let progress = try FilePackage.progress(
            EngineTrial.identifier(1), offset: 0, identifier: EngineTrial.identifier(97),
            timestamp: Date(timeIntervalSince1970: 0))
        _ = trial.tell { $0.received(progress, from: EngineTrial.device, bytes: 1, at: $1) }
        let former = trial.wait(59_000)
        #expect(former == [])
        let due = trial.wait(1_000)
        #expect(due == ["close source 1"])
    }

    @Test("While the link delivers what was sent before, a transfer is given 60 s again")
    mutating func delivering() {
        _ = trial.queue(trial.transfer(1))
        passSecond()
        _ = trial.tell { $0.delivering(to: EngineTrial.watch, at: $1) }
        _ = trial.wait(59_000)
        #expect(retries() == 0)
        _ = trial.wait(1_000)
        #expect(retries() == 1)
    }

    @Test("A drained queue changes nothing unless something waits for it")
    mutating func drained() {
        let idle = trial.effects { $0.drained(at: $1) }
        #expect(idle == [])
        _ = trial.tell { engine, moment in engine.change(at: moment) { $0.enter(.suspended) } }
        let suspended = trial.effects { $0.drained(at: $1) }
        #expect(suspended == [])
        let package = message(1)
        _ = trial.tell { $0.received(package, from: EngineTrial.device, bytes: 1, at: $1) }
        let woken = trial.effects { $0.drained(at: $1) }
        #expect(woken.contains(.news(.hold)))
        let again = trial.effects { $0.drained(at: $1) }
        #expect(again == [])
    }

    @Test("The store is asked to assign what waits for the first watch each second, until it has done so")
    mutating func adoption() throws {
        trial = try EngineTrial(isConnected: false)
        _ = trial.queue(trial.transfer(1, peer: .unknownPeer))
        _ = trial.connect()
        let adopt = ["adopt(\(EngineTrial.watch))"]
        let requests = [trial.wait(1_000), trial.wait(1_000)]
        #expect(requests == [adopt, adopt])
        // Another watch does not end it.
        _ = trial.connectOther()
        _ = trial.tell { engine, moment in
            engine.change(at: moment) { presence in
                do throws(PairingError) {
                    return try presence.unpair(EngineTrial.other.identifier)
                } catch {
                    Issue.record("\(error)")
                    return []
                }
            }
        }
        let third = trial.wait(1_000)
        #expect(third == adopt)
    }
}
