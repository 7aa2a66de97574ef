import Foundation
import Glibc
import LinkProtocol
import SessionStorage
import TestSupport
import Testing

@Suite("Faults of a disk")
struct DiskFaultTests {
    static let codes: [(DiskFault, Int32)] = [(.full, ENOSPC), (.error, EIO), (.readOnly, EROFS)]

    private let scratch: Scratch

    init() throws { scratch = try Scratch() }

    @Test("Writes below its directory fail with its error after those that still succeed, and elsewhere none does")
    func met() throws {
        let (directory, sibling) = (scratch.path("a"), scratch.path("ab"))
        for (fault, code) in Self.codes {
            try fault.apply(to: directory, after: 2)
            let errors = (1...4).map { _ in DiskFault.writeError(below: directory) }
            #expect(errors == [nil, nil, code, code])
            let ofFolder = DiskFault.writeError(below: directory + "/inbox")
            #expect(ofFolder == code)
            let elsewhere = [sibling, scratch.path].map { DiskFault.writeError(below: $0) }
            #expect(elsewhere == [nil, nil])
        }
        try DiskFault.none.apply(to: directory)
        let none = DiskFault.writeError(below: directory)
        #expect(none == nil)
    }

    @Test("A slash at the end of the directory makes no difference, on either side")
    func slash() throws {
        let directory = scratch.path("a")
        try DiskFault.full.apply(to: directory + "/")
        let errors = [directory, directory + "/"].map { DiskFault.writeError(below: $0) }
        #expect(errors == [ENOSPC, ENOSPC])
        try DiskFault.none.apply(to: directory)
        let none = DiskFault.writeError(below: directory + "/")
        #expect(none == nil)
    }

    @Test("A directory whose fault is gone leaves its place to another")
    func places() throws {
        for number in 0..<200 {
            let directory = scratch.path("\(number)")
            try DiskFault.full.apply(to: directory)
            try DiskFault.none.apply(to: directory)
            try DiskFault.none.apply(to: directory)
        }
        let last = scratch.path("last")
        try DiskFault.error.apply(to: last)
        let code = DiskFault.writeError(below: last)
        #expect(code == EIO)
        try DiskFault.none.apply(to: last)
    }

    @Test("A path of 1,022 bytes may have a fault, and one of 1,023 is too long, as the error says")
    func longest() throws {
        let directory = "/" + String(repeating: "d", count: 1_021)
        try DiskFault.full.apply(to: directory)
        let code = DiskFault.writeError(below: directory)
        #expect(code == ENOSPC)
        try DiskFault.none.apply(to: directory)
        let error = #expect(throws: DiskFault.Refused.self) { try DiskFault.full.apply(to: directory + "d") }
        let text = error?.description
        #expect(
            text == "no disk fault set for \(directory)d: the path is too long, or too many directories have faults")
    }
}
