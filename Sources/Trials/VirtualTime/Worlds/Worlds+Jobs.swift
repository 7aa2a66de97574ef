import Foundation

extension Worlds {
    /// Threads, each of which runs the worlds of one template, for an owner that hands out courses and collects the
    /// outcomes.
    // Proof of `@unchecked Sendable`: all mutable state is accessed while the condition is locked.
    final class Jobs: @unchecked Sendable {
        private let condition = NSCondition()
        private var courses: [Course] = []
        private var results: [Result<Outcome, WorldsError>] = []
        private var isOver = false

        init(_ templates: [Template], _ settings: WorldSettings, limit: Duration) {
            for template in templates {
                Thread.detachNewThread { [self] in
                    while let course = take() {
                        do throws(WorldsError) {
                            put(.success(try template.run(course, settings, limit: limit)))
                        } catch {
                            put(.failure(error))
                        }
                    }
                }
            }
        }

        /// Hands a course to the next free thread.
        func add(_ course: Course) {
            condition.withLock {
                courses.append(course)
                condition.broadcast()
            }
        }

        /// Waits for the next result. Each course has exactly one.
        func next() -> Result<Outcome, WorldsError> {
            condition.withLock {
                while results.isEmpty { condition.wait() }
                return results.removeFirst()
            }
        }

        /// Ends the threads.
        func end() {
            condition.withLock {
                isOver = true
                condition.broadcast()
            }
        }

        private func take() -> Course? {
            condition.withLock {
                while courses.isEmpty && !isOver { condition.wait() }
                return courses.isEmpty ? nil : courses.removeFirst()
            }
        }

        private func put(_ result: Result<Outcome, WorldsError>) {
            condition.withLock {
                results.append(result)
                condition.broadcast()
            }
        }
    }
}
