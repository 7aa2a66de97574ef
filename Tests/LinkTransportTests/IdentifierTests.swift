import Foundation
import Glibc
import TestSupport
import Testing

@testable import LinkTransport

@Suite("Identifiers")
struct IdentifierTests {
    private static func version(_ identifier: UUID) -> UInt8 { identifier.uuid.6 >> 4 }

    /// The two bits that RFC 9562 defines: 2.
    private static func variant(_ identifier: UUID) -> UInt8 { identifier.uuid.8 >> 6 }

    private static func milliseconds(_ identifier: UUID) -> UInt64 {
        withUnsafeBytes(of: identifier.uuid) { $0.prefix(6).reduce(0) { $0 << 8 | UInt64($1) } }
    }

    @Test("Random identifiers differ, however many are read at a time, and say that they are random")
    func random() {
        let identifiers = (0..<1_000).map { _ in UUID.random() }
        #expect(Set(identifiers).count == 1_000)
        let forms = Set(identifiers.map { [Self.version($0), Self.variant($0)] })
        #expect(forms == [[4, 2]])
    }

    @Test("No byte of random identifiers is always the same, but for the bits of the version")
    func everyByte() {
        let identifiers = (0..<1_000).map { _ in withUnsafeBytes(of: UUID.random().uuid) { Array($0) } }
        let counts = (0..<16).map { place in Set(identifiers.map { $0[place] }).count }
        let few = counts.indices.filter { counts[$0] < 16 }
        #expect(few == [])
        #expect(counts[6] == 16)
        #expect(counts[8] <= 64)
    }

    @Test("An interrupted system call does not hold up the next identifiers")
    func interrupted() {
        let made = Collector<Set<UUID>>()
        Thread.detachNewThread {
            var identifiers: Set<UUID> = []
            for _ in 0..<500 {
                errno = EINTR
                identifiers.insert(.random())
            }
            made.add(identifiers)
        }
        made.expect { !$0.isEmpty }
        let counts = made.all.map(\.count)
        #expect(counts == [500])
    }

    @Test("Ordered identifiers begin with the time, and are random otherwise")
    func ordered() {
        let before = UInt64(Date().timeIntervalSince1970 * 1_000)
        let identifiers = (0..<200).map { _ in UUID.ordered() }
        let after = UInt64(Date().timeIntervalSince1970 * 1_000)
        let times = identifiers.map(Self.milliseconds)
        #expect(times == times.sorted())
        let outside = times.filter { $0 + 1 < before || $0 > after + 1 }
        #expect(outside == [])
        let forms = Set(identifiers.map { [Self.version($0), Self.variant($0)] })
        #expect(forms == [[7, 2]])
        let rests = Set(identifiers.map { withUnsafeBytes(of: $0.uuid) { Array($0.dropFirst(6)) } })
        #expect(rests.count == 200)
    }
}
