/// One way to perform an operation.
struct Contender {
    let name: String
    let work: () throws -> Void
}
