import DeviceEngine
import LinkTransport
import Locking

/// A queue of commands from other threads to the device's loop: a single list, which preserves their order.
final class CommandQueue: Sendable {
    private struct Taker: Sendable {
        var take: (@Sendable () -> Void)?
    }

    private let loop: EventLoop
    private let commands = Batch<QueuedCommand>()
    /// The threads whose commands are collected and taken as a batch.
    private let collectors = ThreadScope()
    private let taker = Mutex(Taker())

    init(loop: EventLoop) { self.loop = loop }

    /// Starts calling `take` on the loop when there are commands.
    func start(_ take: @escaping @Sendable () -> Void) { taker.withLock { $0.take = take } }

    func take(into room: inout [QueuedCommand]) { commands.take(into: &room) }

    func add(_ command: QueuedCommand) {
        guard commands.add(command) else { return }
        let take = { @Sendable [self] () -> Void in taker.withLock { $0.take }?() }
        // A single message has a waiting caller; collected messages are written as a batch.
        if collectors.isInside {
            loop.executeSoon(take)
        } else {
            command.isWaitedFor ? loop.executeNow(take) : loop.execute(take)
        }
    }

    /// Runs `body`, and takes the commands that it adds on its thread as one batch: when it returns, or soon if it runs
    /// for long.
    func batched(_ body: () -> Void) {
        collectors.run(body)
        loop.catchUp()
    }
}
