import Foundation

/// Values by what a world has named: the number that an identifier holds is the value's place, so that nothing is hashed.
struct NameTable<Value: Sendable>: Sendable {
    private var values: [Value?] = []

    subscript(identifier: UUID) -> Value? {
        get {
            guard let number = identifier.number(of: .named), number < values.count else { return nil }
            return values[number]
        }
        set {
            guard let number = identifier.number(of: .named) else {
                preconditionFailure("\(identifier) is none that a world has named")
            }
            while values.count <= number { values.append(nil) }
            values[number] = newValue
        }
    }

    /// All there is, in the order of their names.
    var all: [(UUID, Value)] {
        var all: [(UUID, Value)] = []
        for number in 0..<values.count {
            if let value = values[number] { all.append((UUID(number, of: .named), value)) }
        }
        return all
    }

    /// Those that are wanted, in the order of their names.
    func filter(_ isWanted: (Value) -> Bool) -> [Value] {
        var wanted: [Value] = []
        for number in 0..<values.count { if let value = values[number], isWanted(value) { wanted.append(value) } }
        return wanted
    }

    mutating func changeAll(_ change: (inout Value) -> Void) {
        for number in 0..<values.count {
            guard var value = values[number] else { continue }
            change(&value)
            values[number] = value
        }
    }
}
