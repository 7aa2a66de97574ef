import Files
package import Foundation
package import RecordStorage

/// A batch on its way into the tables: which of its records are sent, and the outcomes that follow from the answers.
///
/// A key that occurs twice is sent once, and its repeats are answered as if each had been inserted after the other.
package struct InsertBatch: Sendable {
    private let arrivals: [RecordArrival]
    /// The digests by place, computed when they are needed: the first part of a batch is on its way by then.
    private var digests: [Data?]
    /// The place of the first record with the same key, for each record.
    private let firsts: [Int]
    private var outcomes: [InsertOutcome?]
    /// The digest that is stored for a key; nil if it was deleted. By the place of its first record.
    private var stored: [Int: Data?] = [:]

    package init(_ arrivals: [RecordArrival]) {
        self.arrivals = arrivals
        digests = Array(repeating: nil, count: arrivals.count)
        var places: [RecordKey: Int] = [:]
        places.reserveCapacity(arrivals.count)
        firsts = arrivals.enumerated().map { place, arrival in
            if let first = places[arrival.record.key] { return first }
            places[arrival.record.key] = place
            return place
        }
        outcomes = Array(repeating: nil, count: arrivals.count)
    }

    /// The places of the records that are to be sent: those without an outcome, each key once.
    package var pending: [Int] { outcomes.indices.filter { firsts[$0] == $0 && outcomes[$0] == nil } }

    package func arrivals(at places: some Collection<Int>) -> [RecordArrival] { places.map { arrivals[$0] } }
    package mutating func digests(at places: some Collection<Int>) -> [Data] { places.map { digest($0) } }

    private mutating func digest(_ place: Int) -> Data {
        let digest = known(place)
        digests[place] = digest
        return digest
    }

    private func known(_ place: Int) -> Data { digests[place] ?? ContentDigest.of(arrivals[place].record.archive) }

    /// Splits places into parts whose archives do not exceed a number of bytes, except for one that does alone.
    package func parts(of places: [Int], bytes: Int) -> [ArraySlice<Int>] {
        var (parts, start, size) = ([ArraySlice<Int>](), 0, 0)
        for (offset, place) in places.enumerated() {
            let next = arrivals[place].record.archive.count
            if offset > start, size + next > bytes {
                parts.append(places[start..<offset])
                (start, size) = (offset, 0)
            }
            size += next
        }
        return start < places.count ? parts + [places[start...]] : parts
    }

    /// Records that a place was stored.
    package mutating func note(stored sequence: Int64, at place: Int) {
        outcomes[place] = .stored(sequence: sequence)
        stored[place] = .some(digest(place))
    }

    /// Records that a place's key was there before, with its digest, or deleted.
    package mutating func note(found digest: Data, isDeleted: Bool, at place: Int) {
        outcomes[place] = isDeleted || digest == self.digest(place) ? .repeated : .conflict
        stored[place] = .some(isDeleted ? nil : digest)
    }

    /// The outcomes in the batch's order; nil while some are pending.
    package var result: [InsertOutcome]? {
        var result: [InsertOutcome] = []
        result.reserveCapacity(arrivals.count)
        for place in arrivals.indices {
            let first = firsts[place]
            if first == place {
                guard let outcome = outcomes[place] else { return nil }
                result.append(outcome)
                continue
            }
            guard let digest = stored[first] else { return nil }
            result.append(digest == nil || digest == known(place) ? .repeated : .conflict)
        }
        return result
    }
}
