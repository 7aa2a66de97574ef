import DeviceWorlds
import LinkProtocol
import Locking
import VirtualTime

/// The declarations of a simulated test: its devices, their events, and the checks.
///
/// The test's body runs in the test's process to collect the declarations, and again in each device's process, which
/// then lives as declared. It must therefore contain only declarations: the work of a device belongs in closures.
public final class SimulatedWorld: Sendable {
    /// An action that a device performs on its main actor.
    public typealias Action = @Sendable @MainActor () async throws -> Void
    /// A check that must hold: it uses expectations, or throws.
    public typealias Check = @Sendable @MainActor () throws -> Void
    /// A condition that may or may not hold.
    public typealias Condition = @Sendable @MainActor () throws -> Bool

    /// The largest number of devices in a world; each is a process.
    public static let mostDevices = 16

    @TaskLocal static var declared: SimulatedWorld?

    /// The world of the running test body.
    ///
    /// - Throws: ``SimulationError/noWorld`` outside of the body of a simulated test.
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
        /// The first invalid declaration; thrown after the body has run.
        var error: SimulationError?
    }

    /// The lifetime of the devices, in virtual time.
    public let duration: Duration
    /// The time after the duration in which devices run their final checks.
    let afterEnd: Duration
    let board = ReadingBoard()
    private let state = Mutex(Declarations())

    init(_ settings: SimulationSettings) { (duration, afterEnd) = (settings.duration, settings.afterEnd) }

    /// Declares the phone. `WCSession.default` is its session, and the watch's session its counterpart.
    ///
    /// - Parameters:
    ///   - time: The time at which it is switched on.
    ///   - start: The app's work at launch.
    /// - Returns: The device, for further declarations.
    @discardableResult
    public func phone(from time: Duration = .zero, _ start: @escaping Action) -> Device {
        device("phone", from: time, environment: DeviceRole.host.variables("phone"), start)
    }

    /// Declares a watch that is paired with the phone.
    @discardableResult
    public func watch(
        _ name: String = "watch", from time: Duration = .zero, _ start: @escaping Action
    ) -> Device {
        device(name, from: time, environment: DeviceRole.companion.variables(name), start)
    }

    /// Declares a process that is neither, such as a server or a simulated pair.
    ///
    /// - Parameters:
    ///   - name: Letters, digits and hyphens.
    ///   - time: The time of its start.
    ///   - environment: Its environment variables; `{world}` in a value means the directory that all devices share.
    ///   - start: The process's work.
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

    /// Declares a check that must always hold; each device runs it when it has no work left at an instant.
    public func always(_ check: @escaping Check) { declare { $0.always.append(check) } }

    /// Declares a check that must hold at the end; each device runs it.
    public func atEnd(_ check: @escaping Check) { declare { $0.atEnd.append(check) } }

    /// Declares a condition that must hold at some time on some device in at least one seed.
    public func sometimes(_ name: String, _ condition: @escaping Condition) {
        declare { $0.sometimes.append((name, condition)) }
    }

    @discardableResult
    func declare<Result>(_ body: (inout Declarations) -> Result) -> Result where Result: Sendable {
        state.withLock { body(&$0) }
    }

    /// The declarations of the body.
    var declarations: Declarations { state.withLock { $0 } }
}
