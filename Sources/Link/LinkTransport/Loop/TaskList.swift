/// Tasks that wait for their time in a turn, and run in their order. One that runs may add others.
final class TaskList {
    private var tasks: [() -> Void] = []
    var isEmpty: Bool { tasks.isEmpty }

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
