import Foundation
import KeyedArchive
import Testing

/// Tests of templates, made from archives that are simple runs of bytes.
@Suite("Templates of archives")
struct ArchiveTemplateTests {
    private let head = Data("head".utf8)
    private let middle = Data("middle".utf8)
    private let tail = Data("tail".utf8)

    /// Two values in the order in which they are given, or in the opposite one.
    private func archive(_ values: [Data], isReversed: Bool) -> Data {
        let (first, second) = isReversed ? (values[1], values[0]) : (values[0], values[1])
        return [head, first, middle, second, tail].reduce(into: Data()) { $0.append($1) }
    }

    @Test("A template makes and reads the archives of its values, in any order", arguments: [false, true])
    func values(_ isReversed: Bool) throws {
        let made = try ArchiveTemplate(lengths: [8, 16]) { archive($0, isReversed: isReversed) }
        let template = try #require(made)
        let values = [Data(repeating: 1, count: 8), Data(repeating: 2, count: 16)]
        let archived = archive(values, isReversed: isReversed)
        #expect(template.archiveBytes == archived.count)
        #expect(template.archive(values) == archived)
        #expect(template.values(in: archived) == values)
    }

    @Test("An archive that differs before, between or after the values, or in its length, is none of the template")
    func others() throws {
        let made = try ArchiveTemplate(lengths: [8, 16]) { archive($0, isReversed: false) }
        let template = try #require(made)
        let values = [Data(repeating: 1, count: 8), Data(repeating: 2, count: 16)]
        let archived = archive(values, isReversed: false)
        // The first and the last byte of each part.
        for place in [0, 3, 12, 17, 34, 37] {
            var other = archived
            other[place] ^= 1
            #expect(template.values(in: other) == nil, "byte \(place)")
        }
        #expect(template.values(in: archived + [0]) == nil)
        #expect(template.values(in: archived.dropLast()) == nil)
        #expect(template.values(in: Data()) == nil)
    }

    @Test("Archives that differ in anything but the values have no template")
    func different() throws {
        let copied = try ArchiveTemplate(lengths: [8]) { head + $0[0] + $0[0].prefix(1) }
        #expect(copied == nil, "\(String(describing: copied))")
        let longer = try ArchiveTemplate(lengths: [8]) { $0[0] + Data(count: Int($0[0][0])) }
        #expect(longer == nil, "\(String(describing: longer))")
    }

    @Test("Archives that do not contain each value exactly once have no template")
    func notOnce() throws {
        let twice = try ArchiveTemplate(lengths: [8]) { $0[0] + head + $0[0] }
        #expect(twice == nil, "\(String(describing: twice))")
        let never = try ArchiveTemplate(lengths: [8]) { _ in head }
        #expect(never == nil, "\(String(describing: never))")
    }

    @Test("Bytes are found where they occur once only, even if a second occurrence overlaps the first")
    func onlyRange() {
        func range(_ wanted: String, in text: String) -> Range<Int>? {
            Data(text.utf8).onlyRange(of: Data(wanted.utf8))
        }
        let middle = range("ab", in: "xaby")
        #expect(middle == 1..<3)
        let whole = range("ab", in: "ab")
        #expect(whole == 0..<2)
        let none = range("ab", in: "ba")
        #expect(none == nil)
        let twice = range("ab", in: "ab ab")
        #expect(twice == nil)
        let adjacent = range("ab", in: "abab")
        #expect(adjacent == nil)
        let overlapping = range("aa", in: "aaa")
        #expect(overlapping == nil)
    }
}
