import Foundation

/// Runs the tasks of a template on one thread, so that it can be copied. In a copy, remaining tasks run as usual.
// Proof of `@unchecked Sendable`: the jobs are used while the process has one thread; a copy adds none.
final class TemplateExecutor: TaskExecutor, @unchecked Sendable {
    static let shared = TemplateExecutor()

    private var jobs: [() -> Void] = []
    private var isInCopy = false

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        add(for: .global()) { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }

    /// Adds a job in the template; in a copy, a queue runs it.
    func add(for queue: DispatchQueue, _ job: @escaping @Sendable () -> Void) {
        if isInCopy { queue.async(execute: job) } else { jobs.append(job) }
    }

    /// Runs jobs until none are left.
    func run() {
        while !jobs.isEmpty { jobs.removeFirst()() }
    }

    /// Lets tasks continue in a copy.
    func goOnInCopy() { isInCopy = true }
}
