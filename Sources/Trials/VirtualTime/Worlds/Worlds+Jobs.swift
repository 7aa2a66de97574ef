import Foundation

extension Worlds {
    /// Threads that each run worlds of one template, for an owner that hands courses to them and takes the outcomes.
    // Proof of `@unchecked Sendable`: everything that changes is used while the condition is locked.
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

        /// Hands a course to the next thread that is free.
        func add(_ course: Course) {
            condition.withLock {
                courses.append(course)
                condition.broadcast()
            }
        }

        /// Waits for what comes of the courses: for each there is one result.
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
