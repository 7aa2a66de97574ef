/// Work of which nobody knows how long it takes, as that of a database.
enum Work {
    static func some() async {
        do {
            try await Task.sleep(for: .microseconds(Int.random(in: 0...2_000)))
        } catch {
            // A cancelled task has done its work.
        }
    }
}
