extension LayerSurvey {
    /// The words after a number sign that only Objective-C has.
    private static let poundWords: Set = ["#selector", "#keyPath"]

    /// Returns the first place of each name in a source that Linux lacks, or that a face supplies without an import.
    static func symbols(_ copy: RoleCopy, _ path: String, _ own: Set<String>) -> [SurveyGap] {
        var seen: Set<String> = []
        let implied = FoundationNames(imports: copy.imports)
        return copy.tokens.indices.compactMap { place in
            let token = copy.tokens[place]
            guard token.kind == .word || token.kind == .poundWord, !token.isTentative else { return nil }
            let word = copy.source.text(token)
            var (name, supply, advice) = (word, Face?.none, "")
            if poundWords.contains(word) {
                advice = "it needs Objective-C; use a closure or a key path"
            } else if token.kind == .poundWord || own.contains(word) {
                return nil
            } else if let face = Face.lacking(word) {
                advice = "the product \(face.rawValue) does not have it"
            } else if let known = implied.gap(word, copy, place) {
                (name, supply, advice) = (known.name, known.supply, known.advice)
            } else {
                return nil
            }
            guard seen.insert(name).inserted else { return nil }
            return SurveyGap(
                file: path, line: copy.source.line(of: token.range.lowerBound), kind: .symbol, name: name,
                supply: supply, advice: advice)
        }
    }
}
