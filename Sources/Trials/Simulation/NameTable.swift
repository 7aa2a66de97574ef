import Foundation

/// Values by identifiers that a world has named. The number in an identifier is the index, so nothing is hashed.
struct NameTable<Value: Sendable>: Sendable {
    private var slots: [Value?] = []

    subscript(identifier: UUID) -> Value? {
        get {
            guard let number = identifier.number(of: .named), number < slots.count else { return nil }
            return slots[number]
        }
        set {
            guard let number = identifier.number(of: .named) else {
                preconditionFailure("\(identifier) was not named by a world")
            }
            while slots.count <= number { slots.append(nil) }
            slots[number] = newValue
        }
    }

    /// All identifiers and values, in the order of their names.
    var all: [(UUID, Value)] {
        var all: [(UUID, Value)] = []
        for number in 0..<slots.count {
            if let value = slots[number] { all.append((UUID(number, of: .named), value)) }
        }
        return all
    }

    /// The values, in the order of their names.
    var values: [Value] { slots.compactMap { $0 } }

    /// Returns the matching values, in the order of their names.
    func filter(_ isWanted: (Value) -> Bool) -> [Value] {
        var wanted: [Value] = []
        for number in 0..<slots.count { if let value = slots[number], isWanted(value) { wanted.append(value) } }
        return wanted
    }

    mutating func changeAll(_ change: (inout Value) -> Void) {
        for number in 0..<slots.count {
            guard var value = slots[number] else { continue }
            change(&value)
            slots[number] = value
        }
    }
}
