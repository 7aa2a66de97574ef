import DeviceEngine
import Foundation
import LinkProtocol
import Testing

@Suite("The engine's files: parts that are closed, and answers to offers")
struct EngineFilePartTests {
    private var trial: EngineTrial
    private static let closing = "close parts"
    private static let date = Date(timeIntervalSince1970: 0)

    init() throws { trial = try EngineTrial() }

    private static func key(_ number: UInt8 = 1, of device: Device = EngineTrial.device) -> FileKey {
        FileKey(device: device.identifier, transfer: EngineTrial.identifier(number))
    }

    private mutating func offer(_ number: UInt8 = 1, from device: Device = EngineTrial.device) throws -> [String] {
        let package = MessagePackage(
            identifier: EngineTrial.identifier(number), command: .transferFile, status: .sent,
            dataPackage: try FileOffer(name: "f", size: 10, metadata: nil).data(), timestamp: Self.date)
        return trial.tell { $0.received(package, from: device, bytes: 1, at: $1) }
    }

    private mutating func open(_ key: FileKey = Self.key()) -> [String] {
        trial.tell { $0.partOpened(key, size: 0, at: $1) }
    }

    /// The first three bytes of a file of the watch.
    private mutating func piece(_ number: UInt8 = 1) throws -> [String] {
        let chunk = FilePackage.Chunk(
            transfer: EngineTrial.identifier(number), offset: 0, bytes: Data(count: 3), checksum: nil)
        let package = try FilePackage.chunk(chunk, identifier: EngineTrial.identifier(98), timestamp: Self.date)
        return trial.tell { $0.received(package, chunk, from: EngineTrial.device, bytes: 3, at: $1) }
    }

    private static func packages(_ effects: [DeviceEngine.Effect]) -> [MessagePackage] {
        effects.compactMap { if case .write(let package, _, _) = $0 { package } else { nil } }
    }

    // MARK: - Closing

    @Test(
        "The parts of a device that disconnects are closed once: none, one being opened, or one arriving",
        arguments: [nil, false, true] as [Bool?])
    mutating func disconnected(isOpen: Bool?) throws {
        if let isOpen {
            _ = try offer()
            if isOpen { _ = open() }
        }
        let effects = trial.disconnect()
        let closed = effects.filter { $0 == Self.closing }
        #expect(closed == [Self.closing], "\(effects)")
    }

    @Test("While nothing is taken from a device, the file that arrives from it is closed; without one, nothing is")
    mutating func locked() throws {
        let idle = trial.lock(true)
        #expect(!idle.contains(Self.closing), "\(idle)")
        trial.lock(false)
        let offered = try offer()
        #expect(offered == ["open part 1"])
        _ = open()
        let effects = trial.lock(true)
        let closed = effects.filter { $0 == Self.closing }
        #expect(closed == [Self.closing], "\(effects)")
        trial.lock(false)
        let late = try piece()
        #expect(late == [])
        #expect(trial.engine.undeliveredPackages == 0)
    }

    @Test(
        "A watch that loses the app takes only its own files with it, in whichever state they are",
        arguments: [false, true])
    mutating func othersFiles(isOpen: Bool) throws {
        var policy = CompanionPolicy()
        policy.serving = .all
        trial = try EngineTrial(policy: policy)
        _ = trial.connectOther()
        _ = try offer(1)
        _ = open()
        _ = try offer(2)
        _ = try offer(3, from: EngineTrial.other)
        if isOpen { _ = open(Self.key(3, of: EngineTrial.other)) }
        let effects = trial.tell { engine, moment in
            engine.change(at: moment) { presence in
                var state = DeviceState()
                state.isAppInstalled = false
                return presence.peerChanged(EngineTrial.other.identifier, state)
            }
        }
        let closed = effects.filter { $0 == Self.closing }
        #expect(closed == [Self.closing], "\(effects)")
        let arriving = try piece()
        #expect(arriving == ["append 3 to 1"])
        let opened = open(Self.key(2))
        #expect(opened == ["write FileProgress"])
    }

    // MARK: - Answers

    @Test("The answer to an offer is one of a file transfer, with the code and the reason of a refusal")
    mutating func refused() throws {
        _ = try offer()
        let effects = trial.effects {
            $0.partFailed(Self.key(), .refused(.insufficientSpace, reason: "full"), at: $1)
        }
        let answers = Self.packages(effects)
        #expect(answers.map(\.command) == [.transferFile])
        #expect(answers.map(\.status) == [.failed])
        #expect(answers.map(\.errorCode) == [SessionErrorCode.insufficientSpace.rawValue])
        #expect(answers.map(\.errorMessage) == ["full"])
        #expect(answers.map(\.answers) == [EngineTrial.identifier(1)])
    }

    @Test("The answer that asks for a later attempt has the reason, and no code")
    mutating func later() throws {
        _ = try offer()
        let effects = trial.effects { $0.partFailed(Self.key(), .later("busy"), at: $1) }
        let answers = Self.packages(effects)
        #expect(answers.map(\.command) == [.transferFile])
        #expect(answers.map(\.status) == [.failed])
        #expect(answers.map(\.errorCode) == [nil])
        #expect(answers.map(\.errorMessage) == ["busy"])
    }

    @Test("The answer to a file that arrived earlier is a success without a reason")
    mutating func known() throws {
        _ = try offer()
        let effects = trial.effects { $0.partKnown(Self.key(), at: $1) }
        let answers = Self.packages(effects)
        #expect(answers.map(\.command) == [.transferFile])
        #expect(answers.map(\.status) == [.replied])
        #expect(answers.map(\.errorMessage) == [nil])
    }
}
