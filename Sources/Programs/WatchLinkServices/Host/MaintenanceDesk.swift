import Configuration
import ControlSocket
import Foundation
import Locking

/// Long pieces of work on a database: one at a time, on a queue of their own, while everything else is answered. Whoever asked looks
/// now and then how far it is.
final class MaintenanceDesk: Sendable {
    /// How far it is, in steps.
    typealias Progress = @Sendable (_ done: Int, _ total: Int) -> Void
    typealias Work = @Sendable (@escaping Progress) -> Result<JSONValue, ControlError>

    private struct Task {
        let number: Int64
        let name: String
        var done = 0
        var total = 0
        var result: Result<JSONValue, ControlError>?
    }

    private let queue = DispatchQueue(label: "watchlink.maintenance")
    private let latest = Mutex<Task?>(nil)

    /// Does a piece of work. Asked for “inBackground”, the answer is its number, and ``look(_:)`` says how far it is; otherwise the
    /// answer is the result.
    func answer(_ name: String, _ params: JSONValue, _ work: @escaping Work) -> Result<JSONValue, ControlError> {
        params["inBackground"]?.boolean == true ? begin(name, work) : work { _, _ in }
    }

    /// Begins a piece of work, and answers with its number.
    func begin(_ name: String, _ work: @escaping Work) -> Result<JSONValue, ControlError> {
        let (number, busy) = latest.withLock { latest -> (Int64, String?) in
            if let latest, latest.result == nil { return (latest.number, latest.name) }
            let number = (latest?.number ?? 0) + 1
            latest = Task(number: number, name: name)
            return (number, nil)
        }
        if let busy {
            return .failure(ControlError(ControlError.refused, "\(busy) is under way: try again when it is done"))
        }
        queue.async { [self] in
            let result = work { [self] done, total in change(number) { ($0.done, $0.total) = (done, total) } }
            change(number) { $0.result = result }
        }
        return .success(["task": .integer(number)])
    }

    /// How far a piece of work is; its result when it is done, which is kept until the next one begins.
    func look(_ params: JSONValue) -> Result<JSONValue, ControlError> {
        let task = latest.withLock { $0 }
        guard let task, task.number == params["task"]?.integer else {
            return .failure(ControlError(ControlError.notFound, "there is no such task"))
        }
        switch task.result {
        case .failure(let error)?: return .failure(error)
        case .success(let value)?: return .success(["result": value])
        case nil:
            return .success([
                "name": .string(task.name), "done": .integer(Int64(task.done)), "total": .integer(Int64(task.total)),
            ])
        }
    }

    private func change(_ number: Int64, _ body: (inout Task) -> Void) {
        latest.withLock { latest in
            guard var task = latest, task.number == number else { return }
            body(&task)
            latest = task
        }
    }
}
