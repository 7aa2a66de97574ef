// The interface by which a program brings its own main executor is experimental, and known for this compiler only. With
// another one, a template whose suites are isolated to the main actor ends with a message.
#if compiler(>=6.3) && compiler(<6.4)
    @_spi(ExperimentalCustomExecutors) import _Concurrency
    import Foundation

    /// The main actor of a template: Swift Testing uses it to list suites that are isolated to it, before `main`, when
    /// nobody serves the main queue. That queue would also have a descriptor, which all copies would share.
    final class TemplateMainExecutor: MainExecutor {
        private struct Factory: ExecutorFactory {
            static let mainExecutor: any MainExecutor = TemplateMainExecutor()
            static var defaultExecutor: any TaskExecutor { PlatformExecutorFactory.defaultExecutor }
        }

        private let platform = PlatformExecutorFactory.mainExecutor

        /// Makes it this process's main executor.
        static func install() { _createExecutors(factory: Factory.self) }

        func enqueue(_ job: consuming ExecutorJob) {
            let job = UnownedJob(job)
            TemplateExecutor.shared.add(for: .main) { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
        }

        func checkIsolated() { platform.checkIsolated() }

        func isIsolatingCurrentContext() -> Bool? { platform.isIsolatingCurrentContext() }

        /// Does nothing: a template runs its jobs itself, and a copy serves its main queue.
        func run() {}

        /// Does nothing.
        func stop() {}
    }
#endif
