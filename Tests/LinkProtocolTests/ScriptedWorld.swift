import LinkProtocol

/// A source of decisions with given answers, which records the questions.
// Proof of `@unchecked Sendable`: each test uses it on one thread.
final class ScriptedWorld: @unchecked Sendable {
    var answers: [UInt32]
    var asked: [(question: Chance.Question, subject: String, options: UInt32, oneIn: UInt32)] = []

    init(_ answers: [UInt32]) { self.answers = answers }

    var chance: Chance {
        Chance { question, subject, options, oneIn in
            self.asked.append((question, subject, options, oneIn))
            return self.answers.isEmpty ? 0 : self.answers.removeFirst()
        }
    }
}
