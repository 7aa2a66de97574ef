/// Tasks that run in order at a certain point of a turn. A running task may add others.
final class TaskList {
    private var tasks: [() -> Void] = []
    var isEmpty: Bool { tasks.isEmpty }
    var count: Int { tasks.count }

    func add(_ task: @escaping () -> Void) { tasks.append(task) }

    func runAll() {
        var place = 0
        while place < tasks.count {
            tasks[place]()
            place += 1
        }
        tasks.removeAll(keepingCapacity: true)
    }
}
