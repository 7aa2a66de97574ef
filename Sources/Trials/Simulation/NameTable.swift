import Foundation

/// Values by identifiers that a world has named. The number in an identifier is the index, so nothing is hashed.
struct NameTable<Value: Sendable>: Sendable {
    /// The room of a table that is not empty: a world names some hundred items.
    private static var leastRoom: Int { 64 }

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
            if number >= slots.count { grow(to: number + 1) }
            slots[number] = newValue
        }
    }

    /// Changes a value, which is moved out and back: an optional chain would copy it.
    mutating func change(_ identifier: UUID, _ change: (inout Value) -> Void) {
        guard let number = identifier.number(of: .named), number < slots.count else { return }
        self.change(number, change)
    }

    private mutating func change(_ number: Int, _ change: (inout Value) -> Void) {
        guard var value = slots[number].take() else { return }
        change(&value)
        slots[number] = value
    }

    private mutating func grow(to count: Int) {
        if count > slots.capacity { slots.reserveCapacity(max(count, 2 * slots.capacity, Self.leastRoom)) }
        while slots.count < count { slots.append(nil) }
    }

    /// All identifiers and values, in the order of their names.
    var all: [(UUID, Value)] {
        var all: [(UUID, Value)] = []
        forEach { all.append((UUID($0, of: .named), $1)) }
        return all
    }

    /// The values, in the order of their names.
    var values: [Value] { filter { _ in true } }

    /// Returns the matching values, in the order of their names.
    func filter(_ isWanted: (Value) -> Bool) -> [Value] {
        var wanted: [Value] = []
        forEach { if isWanted($1) { wanted.append($1) } }
        return wanted
    }

    /// Passes on each number and value. Most slots are empty: these are not read completely.
    private func forEach(_ use: (Int, Value) -> Void) {
        for number in 0..<slots.count where slots[number] != nil {
            if let value = slots[number] { use(number, value) }
        }
    }

    mutating func changeAll(_ change: (inout Value) -> Void) {
        for number in 0..<slots.count where slots[number] != nil { self.change(number, change) }
    }
}
