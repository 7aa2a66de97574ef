/// One way to do a piece of work.
struct Contender {
    let name: String
    let work: () throws -> Void
}
