import Foundation

/// Runs the tasks of a template on one thread, so that it can be copied. In a copy, remaining tasks run as usual.
// Proof of `@unchecked Sendable`: the jobs are used while the process has one thread; a copy adds none.
final class TemplateExecutor: TaskExecutor, @unchecked Sendable {
    static let shared = TemplateExecutor()

    private var jobs: [UnownedJob] = []
    private var isInCopy = false

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        guard isInCopy else { return jobs.append(job) }
        DispatchQueue.global().async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }

    /// Runs jobs until none are left.
    func run() {
        while !jobs.isEmpty { jobs.removeFirst().runSynchronously(on: asUnownedTaskExecutor()) }
    }

    /// Lets tasks continue in a copy.
    func goOnInCopy() { isInCopy = true }
}
