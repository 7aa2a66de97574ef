import EventLog
import Foundation
import LinkProtocol
import LinkTransport
import Synchronization

/// A directory of its own for one test, removed afterwards.
final class Scratch: Sendable {
    let path = FileManager.default.temporaryDirectory.appending(path: "wl-\(UUID().uuidString.prefix(8))").path()
    init() throws { try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true) }
    deinit { try? FileManager.default.removeItem(atPath: path) }
    func path(_ name: String) -> String { path + "/" + name }
}

/// Collects values from any thread, and waits for them.
final class Collector<Value: Sendable>: Sendable {
    private let values = Mutex<[Value]>([])
    private let changed = DispatchSemaphore(value: 0)

    func add(_ value: Value) {
        values.withLock { $0.append(value) }
        changed.signal()
    }

    var all: [Value] { values.withLock { $0 } }

    /// Waits until the collected values satisfy a condition. False after the limit, which only a broken test reaches.
    func wait(_ condition: ([Value]) -> Bool) -> Bool {
        let limit = DispatchTime.now() + .seconds(20)
        while !condition(all) {
            if changed.wait(timeout: limit) == .timedOut { return condition(all) }
        }
        return true
    }
}

func collectingLogger(_ events: Collector<LogRecord>) -> Logger {
    Logger(service: "test", minimumLevel: .debug) { events.add($0) }
}
