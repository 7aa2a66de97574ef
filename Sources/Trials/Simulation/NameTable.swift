import Foundation

/// Values by identifiers that a world has named. The number in an identifier is the index, so nothing is hashed. The values
/// lie side by side, in no order: a world names hundreds of items, of which a table has some.
struct NameTable<Value: Sendable>: Sendable {
    /// The room of a table that is not empty, in names and in values: a world names some hundred items.
    private static var leastNames: Int { 256 }
    private static var leastItems: Int { 32 }
    /// The place of a name without a value.
    private static var nowhere: Int32 { -1 }

    /// The places of the values, by the number of their names.
    private var places: [Int32] = []
    /// The numbers of the names of the values, by their places.
    private var numbers: [Int32] = []
    private var items: [Value] = []

    subscript(identifier: UUID) -> Value? {
        get { place(of: identifier).map { items[$0] } }
        set {
            guard let number = identifier.number(of: .named) else {
                preconditionFailure("\(identifier) was not named by a world")
            }
            guard let newValue else { return remove(number) }
            if let place = place(of: number) { items[place] = newValue } else { add(newValue, number) }
        }
    }

    /// Changes a value in its place: an optional chain would copy it.
    mutating func change(_ identifier: UUID, _ change: (inout Value) -> Void) {
        if let place = place(of: identifier) { change(&items[place]) }
    }

    private func place(of identifier: UUID) -> Int? { identifier.number(of: .named).flatMap { place(of: $0) } }

    private func place(of number: Int) -> Int? {
        guard number < places.count, places[number] != Self.nowhere else { return nil }
        return Int(places[number])
    }

    private mutating func add(_ value: Value, _ number: Int) {
        if items.isEmpty {
            places.reserveCapacity(Self.leastNames)
            numbers.reserveCapacity(Self.leastItems)
            items.reserveCapacity(Self.leastItems)
        }
        while places.count <= number { places.append(Self.nowhere) }
        places[number] = Int32(items.count)
        numbers.append(Int32(number))
        items.append(value)
    }

    /// Removes a value; the last one takes its place.
    private mutating func remove(_ number: Int) {
        guard let place = place(of: number), let last = items.popLast(), let lastNumber = numbers.popLast() else {
            return
        }
        places[number] = Self.nowhere
        guard place < items.count else { return }
        items[place] = last
        numbers[place] = lastNumber
        places[Int(lastNumber)] = Int32(place)
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

    /// Passes on each number and value, in the order of the names.
    private func forEach(_ use: (Int, Value) -> Void) {
        for number in 0..<places.count { if let place = place(of: number) { use(number, items[place]) } }
    }

    mutating func changeAll(_ change: (inout Value) -> Void) {
        for place in items.indices { change(&items[place]) }
    }
}
