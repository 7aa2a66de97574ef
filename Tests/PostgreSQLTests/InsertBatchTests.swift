import Files
import Foundation
import PostgreSQLRules
import RecordStorage
import Testing

@Suite("Batches")
struct InsertBatchTests {
    private static let keys = (0..<3).map { _ in RecordKey(UUID(), device: UUID()) }

    private static func arrival(_ key: Int, _ text: String) -> RecordArrival {
        RecordArrival(
            Record(key: keys[key], values: [], archive: Data(text.utf8)), receivedAt: Date(timeIntervalSince1970: 0))
    }

    @Test("Each key is sent once, and its repeats are answered by what was stored")
    func repeats() {
        var batch = InsertBatch([
            Self.arrival(0, "a"), Self.arrival(1, "b"), Self.arrival(0, "a"), Self.arrival(0, "x"),
            Self.arrival(1, "c"),
        ])
        #expect(batch.pending == [0, 1])
        #expect(batch.result == nil)
        batch.note(stored: 7, at: 0)
        #expect(batch.pending == [1])
        // Another device's record under the key of the second.
        batch.note(found: ContentDigest.of(Data("c".utf8)), isDeleted: false, at: 1)
        #expect(batch.result == [.stored(sequence: 7), .conflict, .repeated, .conflict, .repeated])
    }

    @Test("Everything under a deleted key is a repeat")
    func deleted() {
        var batch = InsertBatch([Self.arrival(0, "a"), Self.arrival(0, "b")])
        batch.note(found: Data(), isDeleted: true, at: 0)
        #expect(batch.result == [.repeated, .repeated])
    }

    @Test("Parts keep the order and the limit; what alone is too large is a part of its own")
    func parts() {
        let batch = InsertBatch([Self.arrival(0, "aaaa"), Self.arrival(1, "bbbbbbbbb"), Self.arrival(2, "c")])
        #expect(batch.parts(of: [0, 1, 2], bytes: 5).map(Array.init) == [[0], [1], [2]])
        #expect(batch.parts(of: [0, 1, 2], bytes: 10).map(Array.init) == [[0], [1, 2]])
        #expect(batch.parts(of: [0, 2], bytes: 10).map(Array.init) == [[0, 2]])
        #expect(batch.parts(of: [], bytes: 10).isEmpty)
    }
}
