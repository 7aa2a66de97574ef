import RoleCopies
import Testing

@Suite("Calls of optional methods")
struct OptionalCallTests {
    @Test(
        "The mark of an optional method of the session's delegate goes",
        arguments: [
            ("delegate?.session?(self, didReceiveMessage: a)", "delegate?.session (self, didReceiveMessage: a)"),
            ("a.session!(b, didFinish: c, error: nil)", "a.session (b, didFinish: c, error: nil)"),
            ("a.session?(b,\n didReceive: c)", "a.session (b,\n didReceive: c)"),
            ("a.sessionReachabilityDidChange?(b)", "a.sessionReachabilityDidChange (b)"),
        ])
    func calls(_ text: String, _ expected: String) throws {
        let copy = try copiedText(text, for: .watch)
        #expect(copy == expected)
    }

    @Test(
        "Other optional calls stay",
        arguments: [
            "a.session?(b)", "a.session?.activate()", "a.session!.activate()", "session?(b, didReceiveMessage: c)",
            "a.other?(b, didReceiveMessage: c)", "a.session?(b) { didReceiveMessage }", "a.session ?(b) : c",
        ])
    func others(_ text: String) throws {
        let copy = try copiedText(text, for: .watch)
        #expect(copy == text)
    }
}
