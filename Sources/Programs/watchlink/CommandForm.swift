/// One way to call a command: its words, and what it does. The help, the manual page and the completion are made of these.
struct CommandForm {
    /// Without the program's name: “quizzes show ID”.
    let words: String
    let meaning: String

    init(_ words: String, _ meaning: String) {
        self.words = words
        self.meaning = meaning
    }
}
