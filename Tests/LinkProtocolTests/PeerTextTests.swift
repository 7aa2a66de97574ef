import Foundation
import Testing

@testable import LinkProtocol

@Suite("Error texts for a peer")
struct PeerTextTests {
    @Test(
        "Local paths are removed, everything else stays",
        arguments: [
            (
                "write to /home/anna/.local/state/host/partial/9B-1: No space left on device",
                "write to (path): No space left on device"
            ),
            ("/var/lib/watchlink cannot be used", "(path)"),
            ("open /a b/c d: Permission denied", "open (path): Permission denied"),
            (
                "the file “/tmp/x y” (in \"/tmp\") or '/srv/z', /q; gone",
                "the file “(path)” (in \"(path)\") or '(path)', (path); gone"
            ),
            ("NSURL=file:///tmp/a", "NSURL=file:(path)"),
            ("open /a:b c", "open (path)"), ("open /a:", "open (path):"), ("/a: /b:c: d", "(path): (path): d"),
            ("/", "(path)"), ("open /\u{301}etc/x: no", "open (path): no"), ("/a\u{301}:\u{301} b, c", "(path), c"),
            ("bytes and/or 3/4 of them", "bytes and/or 3/4 of them"),
            ("invalid: takenAt", "invalid: takenAt"),
            ("", ""),
        ])
    func paths(_ text: String, _ expected: String) { #expect(PeerText.of(text) == expected) }

    @Test("No package has a path in its error message, whatever its origin")
    func packages() throws {
        let package = MessagePackage(
            identifier: UUID(), command: .transferFile, status: .failed,
            errorMessage: "rename /secret/inbox/a: No space",
            timestamp: Date())
        let frame = try PackageCodec.frame(package)
        #expect(frame.range(of: Data("secret".utf8)) == nil)
        let read = try frame.dropFirst(FrameHeader.bytes).withUnsafeBytes(PackageCodec.package)
        #expect(read.errorMessage == "rename (path): No space")
    }
}
