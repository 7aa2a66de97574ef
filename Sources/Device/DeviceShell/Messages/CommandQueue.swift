import DeviceEngine
import LinkTransport
import Locking

/// The way from other threads to the device's loop: one list, so that all is done in its order.
final class CommandQueue: Sendable {
    private struct Taker: Sendable {
        var take: (@Sendable () -> Void)?
    }

    private let loop: EventLoop
    private let commands = Batch<ShellCommand>()
    /// The threads whose commands are taken together, soon.
    private let collectors = ThreadScope()
    private let taker = Mutex(Taker())

    init(loop: EventLoop) { self.loop = loop }

    /// Begins to call `take` on the loop when there are commands.
    func start(_ take: @escaping @Sendable () -> Void) { taker.withLock { $0.take = take } }

    func take(into room: inout [ShellCommand]) { commands.take(into: &room) }

    func add(_ command: ShellCommand) {
        guard commands.add(command) else { return }
        let take = { @Sendable [self] () -> Void in taker.withLock { $0.take }?() }
        // A message that stands alone somebody waits for; what is one of many is written with the others.
        if collectors.isInside {
            loop.executeSoon(take)
        } else {
            command.isWaitedFor ? loop.executeNow(take) : loop.execute(take)
        }
    }

    /// Takes the commands of the body, on its thread, together when it returns, or soon if it takes its time.
    func together(_ body: () -> Void) {
        collectors.run(body)
        loop.catchUp()
    }
}
