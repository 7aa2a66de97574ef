import Foundation
import OSLog
import Testing

@Suite("os_log")
struct FormatTests {
    private let lines = CapturedLines()

    private var last: String? { lines.texts.last.map { String($0.dropFirst("notice    app: ".count)) } }

    @Test("Strings and objects are private unless the format says public")
    func privacy() {
        let log = lines.log()
        os_log("%@ %{public}@ %{private}d %{sensitive}@", log: log, "a", "b", 3, "c")
        #expect(last == "<private> b <private> <private>")
        os_log("%{public}@", log: log, NSError(domain: "d", code: 5))
        #expect(last?.contains("Code=5") == true)
        "text".withCString { os_log("%s", log: log, $0) }
        #expect(last == "<private>")
        let shown = lines.log(["WATCHLINK_LOG_PRIVATE": "1"])
        os_log("%@ %{sensitive}@", log: shown, "a", "c")
        #expect(last == "a <private>")
    }

    @Test("Numbers are written by their conversion, in the size that the length names")
    func numbers() {
        let log = lines.log()
        os_log("%d %i %u %ld %lld %llu", log: log, -1, 2, UInt32.max, Int.max, Int64.min, UInt64.max)
        #expect(last == "-1 2 4294967295 9223372036854775807 -9223372036854775808 18446744073709551615")
        os_log("%d %hhd %x %#X %o %05d %-4d| %+d %c", log: log, 1 << 32 + 7, 300, 255, 255, 8, 42, 7, 9, 65)
        #expect(last == "7 44 ff 0XFF 10 00042 7   | +9 A")
        os_log("%f %.2f %e %g %8.1f", log: log, 1.5, Float(2.25), 1_000.0, 0.5, 3.14159)
        #expect(last == "1.500000 2.25 1.000000e+03 0.5      3.1")
        os_log("%{bool}d %{BOOL}d %{public}d", log: log, true, 0, true)
        #expect(last == "true NO 1")
    }

    @Test("C strings, percent signs and widths from arguments")
    func strings() {
        let log = lines.log()
        "text".withCString { os_log("%{public}s 100%% [%{public}5s] %{public}.2s", log: log, $0, $0, $0) }
        #expect(last == "text 100% [ text] te")
        os_log("%*d|%.*f", log: log, 4, 7, 1, 2.55)
        #expect(last == "   7|2.5" || last == "   7|2.6")
    }

    @Test("An argument that is missing or does not fit is told, and nothing breaks")
    func mistakes() {
        let log = lines.log()
        os_log("%d and %d", log: log, 1)
        #expect(last == "1 and <decode: missing data>")
        os_log("%d", log: log, "text")
        #expect(last == "<decode: mismatch for [%d] got [String]>")
        os_log("%", log: log)
        #expect(last == "%")
        os_log("%{public", log: log)
        #expect(last == "%{public")
        os_log("%y", log: log)
        #expect(last == "<decode: unknown conversion [%y]>")
        os_log("%1000000000000d", log: log, 1)
        #expect(last?.count == 1_024)
        os_log("%*d", log: log, Int.max, 1)
        #expect(last?.count == 1_024)
        os_log("%*d|%.*f", log: log, Int.min, 1, -1, 0.5)
        #expect(last?.count == 1_024 + "|0.500000".count)
    }

    @Test("All forms take a type and a log, and messages with values")
    func forms() {
        let log = lines.log(["WATCHLINK_LOG_LEVEL": "debug"], subsystem: "s", category: "c")
        os_log("a", log: log, type: .debug)
        os_log(.error, log: log, "b %d", 1)
        os_log(.fault, log: log, "c \(2)")
        os_log(.info, log: log, "d")
        #expect(
            lines.texts == [
                "debug     app: a subsystem=s category=c", "error     app: b 1 subsystem=s category=c",
                "critical  app: c 2 subsystem=s category=c", "info      app: d subsystem=s category=c",
            ])
    }
}
