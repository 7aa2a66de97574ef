package import Foundation

/// A template for archives that differ only in a few runs of bytes. It makes and reads them without the archiver: from
/// a specimen that is cut at the positions of the values.
package struct ArchiveTemplate: Sendable {
    /// The position of a value in the specimen.
    private struct Place: Sendable {
        let value: Int
        let range: Range<Int>
    }

    private let specimen: Data
    /// The places, ordered by their position in the specimen.
    private let places: [Place]

    /// The size of each archive, in bytes.
    package var archiveBytes: Int { specimen.count }

    /// Creates a template from two archives with different values.
    ///
    /// - Parameters:
    ///   - lengths: The length of each run.
    ///   - archive: Makes an archive of the values with the archiver.
    /// - Returns: Nil if the values cannot be found uniquely, or if the archives also differ elsewhere.
    /// - Throws: The errors of `archive`.
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

    /// Returns the archive of values, which must have the lengths that the template was made for.
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

    /// Returns the values of an archive; nil if the archive differs from the specimen in anything else.
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

    /// Returns distinctive bytes, the same ones each time: from a linear congruential generator with Knuth's constants.
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
