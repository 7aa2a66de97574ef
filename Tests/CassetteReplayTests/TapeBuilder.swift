import Cassettes
import Foundation
import KeyedArchive

@testable import CassetteReplay

/// Tapes for tests: the events of a phone's app.
struct TapeBuilder {
    private(set) var events: [CassetteEvent] = []
    private var contents: [String: RedactedValue] = [:]
    private let redactor: Redactor

    /// - Parameter begins: False for a recording that began after the app's activation.
    init(keeping kept: [String] = [RedactionRules.everything], begins: Bool = true) {
        redactor = Redactor(RedactionRules(keeping: kept), hash: KeyedHash())
        if begins { add("activate") }
    }

    /// Adds an event, a second after the one before.
    @discardableResult
    mutating func add(
        _ kind: String, _ content: [String: Any]? = nil, package: Int? = nil, of watch: Int? = nil, cause: Int? = nil,
        error: Int? = nil,
        wantsReply: Bool = false, after seconds: Double = 1, side: String = "phone", words: String? = nil
    ) -> Int {
        let time = (events.last?.time ?? 0) + Int64(seconds * 1_000_000)
        var event = CassetteEvent(sequence: events.count + 1, time: time, side: side, kind: kind)
        (event.package, event.cause, event.error, event.words) = (package, cause, error, words)
        event.watch = watch
        event.wantsReply = wantsReply ? 1 : nil
        if let content {
            do {
                let data = try PropertyListValue(object: content).binaryData()
                let value = redactor.value(of: .propertyList(data))
                event.content = value.digest
                contents[value.digest] = value
            } catch {
                preconditionFailure("\(content): \(error)")
            }
        }
        events.append(event)
        return event.sequence
    }

    /// What a recording with these events shows.
    func survey(
        _ name: String = "a", sides: [String] = ["phone"], build: String? = nil, day: Double = 0,
        beside others: [RecordedSpan?] = []
    ) -> CassetteSurvey {
        CassetteSurvey(
            name, Self.manifest(sides, build, day), events, contents, beside: others.compactMap(\.self))
    }

    /// The time in which these events were recorded.
    func span(_ side: String, day: Double = 0) -> RecordedSpan? {
        RecordedSpan(Self.manifest([side], nil, day), events)
    }

    private static func manifest(_ sides: [String], _ build: String?, _ day: Double) -> CassetteManifest {
        CassetteManifest(
            sides: sides, program: "App", build: build, started: Date(timeIntervalSince1970: day * 86_400), seed: 1,
            rules: RedactionRules())
    }

    func tape(_ side: String = "phone") -> AppTape {
        AppTape(side, events, contents) ?? { preconditionFailure("no events of the \(side)") }()
    }
}
