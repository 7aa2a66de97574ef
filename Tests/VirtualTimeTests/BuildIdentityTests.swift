import Foundation
import Testing

@testable import VirtualTime

@Suite("Build identities")
struct BuildIdentityTests {
    /// An ELF file with one segment of notes.
    private func executable(notes: [UInt8], type: UInt32 = 4, length: UInt64? = nil) -> [UInt8] {
        func bytes(_ number: some FixedWidthInteger) -> [UInt8] {
            withUnsafeBytes(of: number.littleEndian) { Array($0) }
        }
        var file = [UInt8](repeating: 0, count: 64)
        file.replaceSubrange(0..<6, with: [0x7F, 0x45, 0x4C, 0x46, 2, 1])
        file.replaceSubrange(32..<40, with: bytes(UInt64(64)))
        file.replaceSubrange(54..<58, with: bytes(UInt16(56)) + bytes(UInt16(1)))
        file += bytes(type) + bytes(UInt32(0)) + bytes(UInt64(120)) + [UInt8](repeating: 0, count: 16)
        file += bytes(length ?? UInt64(notes.count)) + [UInt8](repeating: 0, count: 16)
        return file + notes
    }

    private func note(_ type: UInt8, _ name: String, _ description: [UInt8], size: UInt8? = nil) -> [UInt8] {
        func padded(_ bytes: [UInt8]) -> [UInt8] { bytes + [UInt8](repeating: 0, count: (4 - bytes.count % 4) % 4) }
        var note = [UInt8](repeating: 0, count: 12)
        note[0] = UInt8(name.utf8.count)
        note[4] = size ?? UInt8(description.count)
        note[8] = type
        return note + padded(Array(name.utf8)) + padded(description)
    }

    private func buildID(_ file: [UInt8]) -> String? { file.withUnsafeBytes { ExecutableNotes($0).buildID } }

    @Test("The linker's note is found after other notes, of any length")
    func note() {
        #expect(buildID(executable(notes: note(3, "GNU\0", [0, 0x1F, 0xAB]))) == "001fab")
        let others = note(1, "GNU\0", [9, 9, 9, 9, 9]) + note(3, "Go\0\0", [7])
        #expect(
            buildID(executable(notes: others + note(3, "GNU\0", [UInt8](repeating: 0xCD, count: 20))))
                == String(repeating: "cd", count: 20))
    }

    @Test("Files without the note have no build id")
    func none() {
        #expect(buildID([]) == nil)
        #expect(buildID(Array("#!/bin/sh\n".utf8)) == nil)
        #expect(buildID(executable(notes: [])) == nil)
        #expect(buildID(executable(notes: note(3, "GNU\0", [1]), type: 1)) == nil)
        #expect(buildID(executable(notes: note(3, "GNU\0", []))) == nil)
        #expect(buildID(executable(notes: note(1, "GNU\0", [1]))) == nil)
    }

    @Test("No number in a file causes a read beyond its end")
    func hostile() {
        #expect(buildID(executable(notes: note(3, "GNU\0", [1]), length: .max)) == nil)
        #expect(buildID(executable(notes: note(3, "GNU\0", [1], size: 255))) == nil)
        let good = executable(notes: note(1, "GNU\0", [1, 2, 3, 4]) + note(3, "GNU\0", [5]))
        for index in good.indices {
            for value in [0, 1, 0x7F, 0x80, 0xFF] as [UInt8] {
                var damaged = good
                damaged[index] = value
                _ = buildID(damaged)
            }
            #expect(buildID(Array(good.prefix(index))) == nil, "cut to \(index) bytes")
        }
        for index in stride(from: 0, to: good.count - 8, by: 4) {
            var damaged = good
            damaged.replaceSubrange(index..<index + 8, with: [UInt8](repeating: 0xFF, count: 8))
            _ = buildID(damaged)
        }
    }

    @Test("A file without a note is identified by all of its bytes, including the last ones, and its length")
    func fingerprint() throws {
        let path = FileManager.default.temporaryDirectory.path + "/build-\(UUID())"
        defer { unlink(path) }
        var seen: Set<String> = []
        var files: [[UInt8]] = [
            [], [0], [0, 0], [1], [UInt8](repeating: 0, count: 8), [UInt8](repeating: 0, count: 16),
        ]
        let long = (0..<1_003).map { UInt8(truncatingIfNeeded: $0) }
        for index in long.indices {
            var file = long
            file[index] ^= 0x80
            files.append(file)
        }
        for file in files {
            try Data(file).write(to: URL(fileURLWithPath: path))
            let identity = try BuildIdentity(executable: path)
            #expect(identity.kind == .fingerprint)
            #expect(identity.value.count == 32)
            #expect(seen.insert(identity.value).inserted, "\(file.prefix(20))")
            let again = try BuildIdentity(executable: path)
            #expect(again == identity)
        }
    }

    @Test("The running program has an identity, and a missing executable is an error")
    func current() throws {
        let identity = try BuildIdentity.current()
        #expect(!identity.program.isEmpty)
        #expect(identity.program != "exe")
        let error = #expect(throws: BuildIdentityError.self) { try BuildIdentity(executable: "/nowhere/app") }
        #expect(
            error?.description.hasPrefix("cannot determine the build of /nowhere/app: ") == true,
            "\(error?.description ?? "")")
    }
}
