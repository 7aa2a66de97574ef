import Foundation
import KeyedArchive
import Testing

@Suite("Property lists of objects")
struct ObjectTreeReaderTests {
    @Test("A value that a property list cannot store is refused with the reason and its key")
    func unsupported() {
        let values: [(Any, String)] = [
            (Date(timeIntervalSinceReferenceDate: .infinity), "a date that is not finite"),
            (Date(timeIntervalSinceReferenceDate: .nan), "a date that is not finite"),
            (UUID(), "UUID is not a property-list type"),
        ]
        for (value, reason) in values {
            let error = #expect(throws: ArchiveError.self) { try PropertyListValue(object: ["when": value]) }
            let description = error.map { "\($0)" } ?? ""
            #expect(description.contains(reason))
            #expect(description.contains("when"))
        }
    }
}
