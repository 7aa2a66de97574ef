/// The pairs of values with the same number.
struct ZipPairing<First, Second>: Pairing {
    private var firsts = Queue<First>()
    private var seconds = Queue<Second>()

    init() {}

    mutating func add(first: First) -> First? {
        firsts.append(first)
        return nil
    }

    mutating func add(second: Second) -> Second? {
        seconds.append(second)
        return nil
    }

    mutating func pair() -> (First, Second)? {
        guard !firsts.isEmpty, !seconds.isEmpty, let first = firsts.popFirst(), let second = seconds.popFirst() else {
            return nil
        }
        return (first, second)
    }

    func isOver(firstFinished: Bool, secondFinished: Bool) -> Bool {
        (firstFinished && firsts.isEmpty) || (secondFinished && seconds.isEmpty)
    }
}
