extension SurveyedCopy {
    /// The words after a number sign that only Objective-C has.
    private static let poundWords: Set = ["#selector", "#keyPath"]

    /// Returns the first place of each name that Linux lacks, or that a face supplies without an import.
    func symbols(_ own: Set<String>) -> [SurveyGap] {
        var seen: Set<String> = []
        let implied = FoundationNames(imports: copy.imports)
        let names: [SurveyGap] = copy.tokens.indices.compactMap { place in
            let token = copy.tokens[place]
            guard token.kind == .word || token.kind == .poundWord, !token.isTentative else { return nil }
            let word = copy.source.text(token)
            var (name, supply, advice) = (word, Face?.none, "")
            if copy.adapted.contains(place) {
                guard word == "#selector" else { return nil }
                (name, supply) = ("Selector", .foundationGaps)
            } else if Self.poundWords.contains(word) {
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
                file: path, line: line(token), kind: .symbol, name: name, supply: supply, advice: advice)
        }
        return names + unlinkableActors
    }

    /// The actors that inherit from `NSObject`: the compiler accepts them, but on Linux the linker does not.
    private var unlinkableActors: [SurveyGap] {
        let (source, tokens) = (copy.source, copy.tokens)
        return tokens.indices.dropLast(3).compactMap { place in
            guard source.matches(tokens[place], "actor"), tokens[place + 1].kind == .word,
                source.matches(tokens[place + 2], ":")
            else { return nil }
            let inherited = tokens[(place + 3)...].prefix(Self.maximumInherited).prefix { !source.matches($0, "{") }
            guard inherited.contains(where: { source.matches($0, "NSObject") }) else { return nil }
            let name = tokens[place + 1]
            return SurveyGap(
                file: path, line: line(name), kind: .symbol, name: "actor \(source.text(name)): NSObject", supply: nil,
                advice: "an actor that inherits from NSObject does not link on Linux; let a class be the delegate")
        }
    }

    /// The most tokens that are read after an actor's colon. 64: more than protocols that people name.
    private static let maximumInherited = 64

    /// The names that `import Foundation` brings on Apple's platforms, and `import FoundationNetworking` on Linux.
    private static let networking: Set = [
        "HTTPCookie", "HTTPCookiePropertyKey", "HTTPCookieStorage", "HTTPURLResponse", "URLAuthenticationChallenge",
        "URLCache", "URLCredential", "URLProtectionSpace", "URLProtocol", "URLRequest", "URLResponse", "URLSession",
        "URLSessionConfiguration", "URLSessionDataTask", "URLSessionDelegate", "URLSessionDownloadTask",
        "URLSessionTask",
        "URLSessionUploadTask", "URLSessionWebSocketTask",
    ]

    var usesNetworking: Bool {
        copy.tokens.contains { $0.kind == .word && Self.networking.contains(copy.source.text($0)) }
    }
}
