import Foundation

/// The long data of a property list that is being written: retained, and copied once, into the file.
final class BodyList {
    private var bodies: [Data] = []
    /// The indices of bodies in the file's object table, by their addresses.
    private var indices: [UnsafeRawPointer: ObjectTable.Index] = [:]
    private var places: [ObjectTable.Index: Int] = [:]
    /// The total length of all bodies.
    private(set) var bytes = 0

    var count: Int { bodies.count }
    subscript(place: Int) -> Data { bodies[place] }

    /// Returns the index in the file's object table of the same data: as bodies are retained, equal address and length
    /// mean equal bytes.
    func index(of data: Data) -> ObjectTable.Index? {
        guard let address = data.withUnsafeBytes({ $0.baseAddress }), let index = indices[address],
            let place = places[index], bodies[place].count == data.count
        else { return nil }
        return index
    }

    func append(_ data: Data, index: ObjectTable.Index) {
        if let address = data.withUnsafeBytes({ $0.baseAddress }) { indices[address] = index }
        places[index] = bodies.count
        bodies.append(data)
        bytes += data.count
    }

    func removeAll() {
        guard !bodies.isEmpty else { return }
        bodies = []
        indices = [:]
        places = [:]
        bytes = 0
    }
}
