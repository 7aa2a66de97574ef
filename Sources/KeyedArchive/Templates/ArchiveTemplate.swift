package import Foundation

/// Archives that are the same but for one run of bytes, made and read without the archiver: from a specimen, cut where the
/// value stands in it.
package struct ArchiveTemplate: Sendable {
    private let before: Data
    private let after: Data
    private let valueBytes: Int

    /// Bytes of each archive.
    package var archiveBytes: Int { before.count + valueBytes + after.count }

    /// - Parameters:
    ///   - valueBytes: Length of the run.
    ///   - archive: Makes the archive with a value in it, by the archiver.
    /// - Returns: Nil if the value cannot be told from the other bytes, or more than it differs.
    /// - Throws: What the archiver does.
    package init?(valueBytes: Int, archive: (Data) throws -> Data) throws {
        let values = (1...2).map { Self.value(valueBytes, $0) }
        let specimen = try archive(values[0])
        guard let place = specimen.onlyRange(of: values[0]) else { return nil }
        before = specimen.prefix(upTo: place.lowerBound)
        after = Data(specimen.suffix(from: place.upperBound))
        self.valueBytes = valueBytes
        guard try archive(values[1]) == self.archive(values[1]) else { return nil }
    }

    /// The archive with a value in it, which must have the length that the template was made for.
    package func archive(_ value: Data) -> Data {
        var archive = Data(capacity: archiveBytes)
        archive.append(before)
        archive.append(value)
        archive.append(after)
        return archive
    }

    /// The value in an archive; nil if the archive differs from the specimen in anything else.
    package func value(in archive: Data) -> Data? {
        guard archive.count == archiveBytes, archive.prefix(before.count) == before,
            archive.suffix(after.count) == after
        else { return nil }
        return Data(archive.dropFirst(before.count).prefix(valueBytes))
    }

    /// Bytes that are found nowhere else, the same ones each time: a linear congruential generator's, with Knuth's constants.
    private static func value(_ count: Int, _ seed: UInt64) -> Data {
        var state = seed
        return Data(
            (0..<count).map { _ in
                state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                return UInt8(truncatingIfNeeded: state >> 56)
            })
    }
}
