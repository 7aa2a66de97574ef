import KeyedArchive
import Testing

@Suite("Limits of callers")
struct ArchiveLimitsTests {
    /// Each limit and its standard value.
    private let limits: [(path: WritableKeyPath<ArchiveLimits, Int>, standard: Int)] = [
        (\.bytes, 67_108_864), (\.depth, 128), (\.objects, 4_194_304), (\.copiedBytes, 67_108_864),
        (\.memory, 269_484_032),
    ]

    @Test("The standard limits are the documented ones")
    func standard() {
        for (path, standard) in limits {
            let created = ArchiveLimits()[keyPath: path]
            #expect(created == standard, "\(path)")
        }
        let created = ArchiveLimits()
        #expect(created == .standard)
    }

    @Test("A limit above the standard is reduced to the standard, whatever it was before")
    func raised() {
        for (path, standard) in limits {
            for wanted in [standard + 1, .max] {
                var limits = ArchiveLimits()
                limits[keyPath: path] = wanted
                #expect(limits == .standard, "\(path)")
                limits[keyPath: path] = 1
                limits[keyPath: path] = wanted
                #expect(limits == .standard, "\(path)")
            }
        }
    }

    @Test("A limit up to the standard is kept, and changes no other limit")
    func lowered() {
        for (path, standard) in limits {
            for wanted in [standard - 1, 1, 0, standard] {
                var lowered = ArchiveLimits()
                lowered[keyPath: path] = wanted
                let values = limits.map { lowered[keyPath: $0.path] }
                let expected = limits.map { $0.path == path ? wanted : $0.standard }
                #expect(values == expected, "\(path)")
            }
        }
    }
}
