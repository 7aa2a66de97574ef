import Foundation

extension Step {
    private static let date = Date(timeIntervalSinceReferenceDate: 700_000_000.123456)
    private static let nested: [String: Any] = [
        "list": [1, "two", [3.5, ["deep": true]]], "dictionary": ["a": ["b": 1]],
    ]
    /// With a joined emoji, a letter with a combining accent, and one with its own.
    private static let text = "👩‍👧 e\u{301} \u{E9} \u{0}"
    private static let bytes = Data([0, 1, 127, 128, 255])

    static let values = Step("values") { stage in
        let values: [String: Any] = [
            "integer": 42, "one": 1, "truth": true, "fraction": 2.5, "whole": 3.0, "float": Float(0.1),
            "decimal": NSDecimalNumber(string: "1.25"), "cgFloat": CGFloat(2.5), "largest": Int64.max,
            "unsigned": UInt64.max, "date": date, "past": Date.distantPast, "data": bytes,
            "noData": Data(), "text": text, "nested": nested, "noList": [Any](), "noDictionary": [String: Any](),
        ]
        _ = stage.send(stage.content("values", 0, values)).outcome()
    } judge: { stage in
        let entries = stage.journal.await(1, "didReceiveMessageWithReply", "values", within: Patience.arrival)
        guard let content = entries.first?.content else { return }
        func number(_ claim: String, _ key: String) {
            let value = content[key]
            stage.observe(
                "values.\(claim)",
                "Int \(Wording.value(value as? Int)), Double \(Wording.value(value as? Double)), "
                    + "Bool \(Wording.value(value as? Bool))")
        }
        for claim in ["integer", "one", "truth", "fraction", "whole"] { number(claim, claim) }
        stage.observe("values.float", "Float \(Wording.value(content["float"] as? Float))")
        stage.observe("values.decimal", "Double \(Wording.value(content["decimal"] as? Double))")
        let real = content["cgFloat"]
        stage.observe(
            "values.cgFloat", "Double \(Wording.value(real as? Double)), CGFloat \(Wording.value(real as? CGFloat))")
        stage.observe(
            "values.large",
            "Int64 \(Wording.value(content["largest"] as? Int64)), "
                + "UInt64 \(Wording.value(content["unsigned"] as? UInt64))")
        let isSame = content["date"] as? Date == date && content["past"] as? Date == .distantPast
        stage.observe("values.date", isSame ? "as sent" : "another date")
        let data = (content["data"] as? Data, content["noData"] as? Data)
        stage.observe("values.data", data == (bytes, Data()) ? "as sent" : "other data")
        let scalars = (content["text"] as? String).map { Array($0.unicodeScalars) }
        stage.observe("values.text", scalars == Array(text.unicodeScalars) ? "as sent" : "another text")
        let arrived = content["nested"] as? [String: Any]
        stage.observe("values.nested", Wording.isSame(arrived, nested) ? "as sent" : "another structure")
        stage.observe(
            "values.empty",
            "list \(Wording.value((content["noList"] as? [Any])?.count)), dictionary "
                + Wording.value((content["noDictionary"] as? [String: Any])?.count))
    }
}
