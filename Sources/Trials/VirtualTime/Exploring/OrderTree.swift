/// The courses that answer the questions about one subject in all ways, each once, and all other questions dully.
///
/// For reordered packages, these are all orders of delivery. A receiver is asked only which of its own packages comes
/// next, so orders that differ only between receivers count as one.
package struct OrderTree: Sendable {
    /// A course that has not been run, and the number of questions that it answers; the rest are answered dully.
    package struct Branch: Hashable, Sendable {
        package let course: JointCourse
        fileprivate let answered: Int
    }

    /// A question that a process was asked.
    fileprivate struct Question {
        let life: Life
        let asked: Departure
        var time: Int64 { asked.circumstance?.time ?? 0 }
    }

    private let subject: String
    /// The branches that have not been run.
    private var pending: [Branch]

    /// - Parameters:
    ///   - subject: The subject of the questions.
    ///   - seed: The seed of all courses, which decides entropy only.
    package init(about subject: String, seed: UInt64) {
        self.subject = subject
        var course = Course(seed: seed)
        course.remainder = .dull
        pending = [Branch(course: JointCourse(conductor: course, processes: [:]), answered: 0)]
    }

    /// True if no branch is known that has not been handed out. Those that are being run can bring new ones.
    package var isEmpty: Bool { pending.isEmpty }

    /// Returns a branch to run.
    package mutating func next() -> Branch? { pending.popLast() }

    /// Adds the branches that leave the performance of a branch: the other answers to each question that it was asked
    /// after those that it answers.
    ///
    /// - Throws: ``TooManyDeliveries`` if there are too many questions to answer all in all ways.
    package mutating func add(_ performance: Performance, of branch: Branch) throws(TooManyDeliveries) {
        let questions = performance.processes.flatMap { process in
            process.world.faults.filter { $0.circumstance?.subject == subject }
                .map { Question(life: process.life, asked: $0) }
        }
        // Answers cannot change what was asked before them, so the first questions are those that the branch answers.
        let ordered = questions.enumerated().sorted { ($0.element.time, $0.offset) < ($1.element.time, $1.offset) }
            .map(\.element)
        guard ordered.count <= DeliveryOrders.mostDeliveries else { throw TooManyDeliveries(given: ordered.count) }
        for index in ordered.indices.dropFirst(branch.answered).reversed() {
            let decision = ordered[index].asked.decision
            for answer in (decision.taken + 1)..<max(decision.options, decision.taken + 1) {
                pending.append(
                    branch.course.answering(ordered[..<index], ordered[index], with: answer, number: index + 1))
            }
        }
    }
}

extension JointCourse {
    /// Returns the branch that answers questions as they were, and another one differently.
    fileprivate func answering(
        _ same: ArraySlice<OrderTree.Question>, _ other: OrderTree.Question, with answer: UInt32, number: Int
    ) -> OrderTree.Branch {
        var departures: [Life: [Departure]] = [:]
        for question in same where !question.asked.decision.isDull {
            departures[question.life, default: []].append(question.asked)
        }
        let decision = other.asked.decision
        let different = Decision(unchecked: decision.kind, decision.options, answer, at: decision.place)
        departures[other.life, default: []].append(
            Departure(at: other.asked.index, different, other.asked.circumstance))
        // An answer can come after other numbers in another course, but is found by its place.
        var course = self
        course.processes = Dictionary(
            uniqueKeysWithValues: departures.map { ($0, self.course(of: $0).with($1.sorted { $0.index < $1.index })) })
        return OrderTree.Branch(course: course, answered: number)
    }
}
