import DeviceWorlds
import LinkProtocol
import Locking
import VirtualTime

/// What a simulated test declares: its devices, what happens to them and when, and what must hold.
///
/// The test's body runs in the test's process, to learn what is declared, and once more in each device's process, which then lives what is
/// declared of it. So the body declares, and nothing else: what a device does stands in its closures.
public final class SimulatedWorld: Sendable {
    /// Something that a device does on its main actor.
    public typealias Action = @Sendable @MainActor () async throws -> Void
    /// Something that must hold: it expects, or throws.
    public typealias Check = @Sendable @MainActor () throws -> Void
    /// Something that holds or does not.
    public typealias Condition = @Sendable @MainActor () throws -> Bool

    /// The most devices of a world: each is a process.
    public static let mostDevices = 16

    @TaskLocal static var declared: SimulatedWorld?

    /// The world of the test whose body runs.
    public static var current: SimulatedWorld {
        get throws(SimulationError) {
            guard let declared else { throw .noWorld }
            return declared
        }
    }

    struct Declarations {
        var devices: [DeviceDeclaration] = []
        var always: [Check] = []
        var atEnd: [Check] = []
        var sometimes: [(name: String, condition: Condition)] = []
        /// What cannot be; it is thrown when the body is over.
        var error: SimulationError?
    }

    /// How long the devices live, in virtual time.
    public let duration: Duration
    /// After it, devices have this long to look at what must hold in the end.
    let afterEnd: Duration
    let board = ReadingBoard()
    private let state = Mutex(Declarations())

    init(_ settings: SimulationSettings) { (duration, afterEnd) = (settings.duration, settings.afterEnd) }

    /// The phone. `WCSession.default` is its session, and the watch's its counterpart.
    ///
    /// - Parameters:
    ///   - time: When it is switched on.
    ///   - start: What its app does when it is launched.
    /// - Returns: What may be declared of it.
    @discardableResult
    public func phone(from time: Duration = .zero, _ start: @escaping Action) -> Device {
        device("phone", from: time, environment: DeviceRole.host.variables("phone"), start)
    }

    /// A watch that is paired with the phone.
    @discardableResult
    public func watch(
        _ name: String = "watch", from time: Duration = .zero, _ start: @escaping Action
    ) -> Device {
        device(name, from: time, environment: DeviceRole.companion.variables(name), start)
    }

    /// A process that is neither, with whatever it starts: a simulated pair, a server.
    ///
    /// - Parameters:
    ///   - name: Letters, digits and hyphens.
    ///   - environment: Variables that it gets; `{world}` in a value stands for the directory that all devices share.
    @discardableResult
    public func device(
        _ name: String, from time: Duration = .zero, environment: [String: String] = [:], _ start: @escaping Action
    ) -> Device {
        let number = declare { declarations in
            if declarations.devices.contains(where: { $0.name == name }) {
                declarations.error = declarations.error ?? .twice(name)
            } else if declarations.devices.count == Self.mostDevices {
                declarations.error = declarations.error ?? .tooManyDevices
            }
            declarations.devices.append(
                DeviceDeclaration(name: name, environment: environment, start: start, powers: [(time, true)]))
            return declarations.devices.count - 1
        }
        return Device(world: self, name: name, number: number)
    }

    /// What must hold always: each device looks when all that it does at an instant is done.
    public func always(_ check: @escaping Check) { declare { $0.always.append(check) } }

    /// What must hold in the end; each device looks.
    public func atEnd(_ check: @escaping Check) { declare { $0.atEnd.append(check) } }

    /// What must hold at some time on some device in at least one of all seeds. A test that never comes to it tests less than it says.
    public func sometimes(_ name: String, _ condition: @escaping Condition) {
        declare { $0.sometimes.append((name, condition)) }
    }

    @discardableResult
    func declare<Result>(_ body: (inout Declarations) -> Result) -> Result where Result: Sendable {
        state.withLock { body(&$0) }
    }

    /// What the body declared.
    var declarations: Declarations { state.withLock { $0 } }
}
