import FoundationGaps
import TestSupport
import Testing

@Suite("Texts and activities")
struct TextTests {
    /// A bundle with a table of texts.
    private func bundle(_ table: String) throws -> (Scratch, Bundle) {
        let scratch = try Scratch()
        for folder in ["App.bundle/en.lproj"] {
            try FileManager.default.createDirectory(
                atPath: scratch.path(folder), withIntermediateDirectories: true)
        }
        try Data(table.utf8).write(to: URL(filePath: scratch.path("App.bundle/en.lproj/Localizable.strings")))
        return (scratch, try #require(Bundle(path: scratch.path("App.bundle"))))
    }

    @Test("A text without a translation is as it is written")
    func untranslated() {
        let (name, count, part) = ("Chess", 3, 0.5)
        #expect(String(localized: "100% done") == "100% done")
        #expect(String(localized: "\(name): \(count) of 100%", comment: "a score") == "Chess: 3 of 100%")
        #expect(String(localized: "\(part, specifier: "%.1f")", locale: Locale(identifier: "en")) == "0.5")
        #expect(String(localized: "\(count, format: .number)") == "3")
        #expect(String(localized: "score.none", defaultValue: "No score", bundle: .main, comment: "") == "No score")
        let value = String.LocalizationValue("a \(name)")
        #expect(String(localized: value) == "a Chess")
    }

    @Test("A translation has the values in its own order, and is found by the text or by the key")
    func translated() throws {
        let (scratch, bundle) = try bundle(
            """
            "%@ has %lld" = "%2$lld for %1$@";
            "score.none" = "Nothing";
            "score.some" = "Only %lld";
            """)
        let (name, count) = ("Ann", 3)
        #expect(String(localized: "\(name) has \(count)", bundle: bundle) == "3 for Ann")
        #expect(String(localized: "score.none", defaultValue: "No score", bundle: bundle) == "Nothing")
        #expect(String(localized: "score.some", defaultValue: "Just \(count)", table: nil, bundle: bundle) == "Only 3")
        withExtendedLifetime(scratch) {}
    }

    @Test("An expiring activity is called once, with time that never expires")
    func activity() {
        let calls = Collector<String>()
        ProcessInfo.processInfo.performExpiringActivity(withReason: "test") { isExpired in
            calls.add("\(isExpired) \(Thread.isMainThread)")
        }
        calls.expect { $0 == ["false false"] }
    }
}
