package import Foundation

/// Archives that are the same but for a few runs of bytes, made and read without the archiver: from a specimen, cut where the
/// values stand in it.
package struct ArchiveTemplate: Sendable {
    /// Which value stands where.
    private struct Place: Sendable {
        let value: Int
        let range: Range<Int>
    }

    private let specimen: Data
    /// In the order in which they stand in the specimen.
    private let places: [Place]

    /// Bytes of each archive.
    package var archiveBytes: Int { specimen.count }

    /// - Parameters:
    ///   - lengths: Length of each run.
    ///   - archive: Makes the archive with values in it, by the archiver.
    /// - Returns: Nil if the values cannot be told from the other bytes, or more than they differs.
    /// - Throws: What the archiver does.
    package init?(lengths: [Int], archive: ([Data]) throws -> Data) throws {
        let (first, second) = (Self.values(lengths, 1), Self.values(lengths, 2))
        specimen = try archive(first)
        var places: [Place] = []
        for (index, value) in first.enumerated() {
            guard let range = specimen.onlyRange(of: value) else { return nil }
            places.append(Place(value: index, range: range))
        }
        self.places = places.sorted { $0.range.lowerBound < $1.range.lowerBound }
        guard try archive(second) == self.archive(second) else { return nil }
    }

    /// The archive with values in it, which must have the lengths that the template was made for.
    package func archive(_ values: [Data]) -> Data {
        var archive = Data(capacity: archiveBytes)
        var end = 0
        for place in places {
            archive.append(specimen[end..<place.range.lowerBound])
            archive.append(values[place.value])
            end = place.range.upperBound
        }
        archive.append(specimen[end...])
        return archive
    }

    /// The values in an archive; nil if the archive differs from the specimen in anything else.
    package func values(in archive: Data) -> [Data]? {
        guard archive.count == archiveBytes else { return nil }
        let start = archive.startIndex
        var values = [Data](repeating: Data(), count: places.count)
        var end = 0
        for place in places {
            guard archive[(start + end)..<(start + place.range.lowerBound)] == specimen[end..<place.range.lowerBound]
            else { return nil }
            values[place.value] = Data(archive[(start + place.range.lowerBound)..<(start + place.range.upperBound)])
            end = place.range.upperBound
        }
        return archive[(start + end)...] == specimen[end...] ? values : nil
    }

    /// Bytes that are found nowhere else, the same ones each time: a linear congruential generator's, with Knuth's constants.
    private static func values(_ lengths: [Int], _ seed: UInt64) -> [Data] {
        var state = seed
        return lengths.map { length in
            Data(
                (0..<length).map { _ in
                    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                    return UInt8(truncatingIfNeeded: state >> 56)
                })
        }
    }
}
