import Foundation
import Testing
import os

@Suite("Logger")
struct LoggerTests {
    private let lines = CapturedLines()

    private struct Trouble: Error {}

    /// Returns what stands behind the program's name.
    private func message(_ message: OSLogMessage, with environment: [String: String] = [:]) -> String? {
        Logger(lines.log(environment)).notice(message)
        return lines.texts.last.map { String($0.dropFirst("notice    app: ".count)) }
    }

    @Test("A line has the time, the level, the program, the message, the subsystem and the category")
    func line() throws {
        Logger(lines.log(subsystem: "com.example.app", category: "sync link")).error("failed")
        let line = try #require(lines.all.first)
        let form =
            /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z error     app: failed subsystem=com\.example\.app category="sync link"/
        #expect(try form.wholeMatch(in: line) != nil, "\(line)")
    }

    @Test("Each method has its level")
    func levels() {
        let logger = Logger(lines.log(["WATCHLINK_LOG_LEVEL": "debug"]))
        logger.log("a")
        logger.log(level: .fault, "b")
        logger.trace("c")
        logger.debug("d")
        logger.info("e")
        logger.notice("f")
        logger.warning("g")
        logger.error("h")
        logger.critical("i")
        logger.fault("j")
        let levels = lines.texts.compactMap { $0.split(separator: " ").first }
        #expect(
            levels == [
                "notice", "critical", "debug", "debug", "info", "notice", "warning", "error", "critical", "critical",
            ])
    }

    @Test("Debug is off unless asked for, and its values are not evaluated")
    func debugOff() {
        var evaluations = 0
        func value() -> Int {
            evaluations += 1
            return evaluations
        }
        Logger(lines.log()).debug("value \(value())")
        #expect(lines.all == [])
        #expect(evaluations == 0)
        Logger(lines.log(["WATCHLINK_LOG_LEVEL": "debug"])).debug("value \(value())")
        #expect(lines.texts == ["debug     app: value 1"])
    }

    @Test("The least severe level is that of the variable; a name that is not known is told once")
    func minimum() {
        let logger = Logger(lines.log(["WATCHLINK_LOG_LEVEL": "error"]))
        logger.warning("no")
        logger.error("yes")
        #expect(lines.texts == ["error     app: yes"])
        let other = CapturedLines()
        let log = other.log(["WATCHLINK_LOG_LEVEL": "loud"])
        Logger(log).info("heard")
        #expect(other.texts.count == 2)
        #expect(other.texts.first?.contains("given=loud") == true)
        #expect(other.texts.last == "info      app: heard")
    }

    @Test("Strings, objects, descriptions and errors are private by default")
    func privateByDefault() {
        let string = "secret"
        let text = message("\(string) \(NSString("secret")) \(UUID()) \(Trouble()) \([1])")
        #expect(text == "<private> <private> <private> <private> <private>")
    }

    @Test("Numbers, Boolean values and types are public by default")
    func publicByDefault() {
        let text = message("\(1) \(UInt8(2)) \(2.5) \(Float(0.5)) \(true) \(Int.self)")
        #expect(text == "1 2 2.500000 0.500000 true Int")
    }

    @Test("The mark at a value decides")
    func marks() {
        let string = "name"
        let text = message("\(string, privacy: .public) \(7, privacy: .private) \(8, privacy: .sensitive)")
        #expect(text == "name <private> <private>")
        let error = message("\(Trouble(), privacy: .public)")
        #expect(error == "Trouble()")
    }

    @Test("WATCHLINK_LOG_PRIVATE=1 shows private values, but not sensitive ones")
    func shown() {
        let string = "name"
        let text = message(
            "\(string) \(string, privacy: .private) \(string, privacy: .sensitive)",
            with: ["WATCHLINK_LOG_PRIVATE": "1"])
        #expect(text == "name name <private>")
    }

    @Test("A hash tells equal values, and nothing of them")
    func hashes() throws {
        let (one, two) = ("one", "two")
        let text = try #require(
            message(
                "\(one, privacy: .private(mask: .hash)) \(one, privacy: .private(mask: .hash)) \(two, privacy: .private(mask: .hash))"
            ))
        let hashes = text.split(separator: "> ").map { $0.trimmingCharacters(in: .init(charactersIn: "<>")) }
        #expect(hashes.count == 3)
        #expect(hashes[0] == hashes[1])
        #expect(hashes[0] != hashes[2])
        #expect(hashes[0].hasPrefix("mask.hash: '"))
        #expect(!text.contains("one"))
    }

    @Test("Numbers have a format and an alignment")
    func formats() {
        let text = message(
            """
            \(255, format: .hex) \(255, format: .hex(includePrefix: true, uppercase: true)) \(8, format: .octal) \
            \(7, format: .decimal(explicitPositiveSign: true, minDigits: 3)) \(2.345, format: .fixed(precision: 1)) \
            \(true, format: .answer) [\(5, align: .right(columns: 3))] \("x", align: .left(columns: 3), privacy: .public)]
            """)
        #expect(text == "ff 0XFF 10 +007 2.3 yes [  5] x  ]")
    }

    @Test("Control characters are escaped, so that no value can forge a line")
    func control() {
        let text = message("a\n\u{1B}[2J\("b\tc", privacy: .public)")
        #expect(text == "a\\n\\u001b[2Jb\\tc")
    }

    @Test("A disabled log writes nothing, and says so")
    func disabled() {
        #expect(!OSLog.disabled.isEnabled(type: .fault))
        #expect(!lines.log().isEnabled(type: .debug))
        #expect(lines.log().isEnabled(type: .info))
        Logger(.disabled).fault("nothing")
    }
}
