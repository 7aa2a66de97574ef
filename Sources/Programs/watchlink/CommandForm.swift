/// One form of a command: its arguments and effect. Help, manual page and completion are generated from these.
struct CommandForm {
    /// The arguments without the program's name: “quizzes show ID”.
    let words: String
    let meaning: String

    init(_ words: String, _ meaning: String) {
        self.words = words
        self.meaning = meaning
    }
}
