/// The promises of programs on standard error: “SOMETIMES name” declares that something must happen in at least one
/// seed, and “REACHED name” that it has happened.
struct Promises: Equatable {
    private(set) var declared: Set<String> = []
    private(set) var reached: Set<String> = []

    private static let (declaration, arrival) = ("SOMETIMES ", "REACHED ")
    /// 1,000: names are part of a program's source, not generated at run time. Further ones are ignored.
    private static let mostNames = 1_000

    /// - Parameter outputs: The standard error of each program.
    init(_ outputs: [[UInt8]]) {
        for output in outputs {
            for line in output.split(separator: UInt8(ascii: "\n")) {
                add(line, after: Self.declaration, to: \.declared)
                add(line, after: Self.arrival, to: \.reached)
            }
        }
    }

    private mutating func add(
        _ line: ArraySlice<UInt8>, after mark: String, to names: WritableKeyPath<Promises, Set<String>>
    ) {
        guard line.starts(with: mark.utf8), self[keyPath: names].count < Self.mostNames else { return }
        let name = String(decoding: line.dropFirst(mark.utf8.count), as: UTF8.self).trimmingPrefix(
            while: \.isWhitespace)
        if !name.isEmpty { self[keyPath: names].insert(String(name)) }
    }
}
