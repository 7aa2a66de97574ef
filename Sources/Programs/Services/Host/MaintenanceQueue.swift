import Configuration
import ControlSocket
import Foundation
import Locking

/// A runner of long database tasks: one at a time on a separate queue, so that other requests are answered meanwhile.
/// Clients poll the progress.
final class MaintenanceQueue: Sendable {
    /// A callback for the progress, in steps.
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

    /// Runs a task. With “inBackground”, the answer is the task's number for ``look(_:)``; otherwise it is the result.
    func answer(_ name: String, _ params: JSONValue, _ work: @escaping Work) -> Result<JSONValue, ControlError> {
        params["inBackground"]?.boolean == true ? begin(name, work) : work { _, _ in }
    }

    /// Starts a task and answers with its number.
    func begin(_ name: String, _ work: @escaping Work) -> Result<JSONValue, ControlError> {
        let (number, busy) = latest.withLock { latest -> (Int64, String?) in
            if let latest, latest.result == nil { return (latest.number, latest.name) }
            let number = (latest?.number ?? 0) + 1
            latest = Task(number: number, name: name)
            return (number, nil)
        }
        if let busy {
            return .failure(ControlError(ControlError.refused, "\(busy) is running; try again when it is done"))
        }
        queue.async { [self] in
            let result = work { [self] done, total in change(number) { ($0.done, $0.total) = (done, total) } }
            change(number) { $0.result = result }
        }
        return .success(["task": .integer(number)])
    }

    /// Answers with a task's progress, or with its result once it is done; the result is kept until the next task
    /// starts.
    func look(_ params: JSONValue) -> Result<JSONValue, ControlError> {
        let task = latest.withLock { $0 }
        guard let task, task.number == params["task"]?.integer else {
            return .failure(ControlError(ControlError.notFound, "unknown task"))
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
