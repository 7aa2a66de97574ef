/// Finds the calls of optional methods of `WCSessionDelegate`, which need a mark that only methods of Objective-C take.
///
/// On Apple's platforms, `delegate.session?(session, didReceiveMessage: message)` calls a method that the delegate may
/// not have. Here every delegate has it, by a default implementation, and the compiler refuses the mark.
struct OptionalCalls {
    let edits: [SourceEdit]

    /// The most tokens of a call that are read. 256: the label is the second; calls in calls would be read again.
    private static let maximumTokens = 256
    /// The labels of the optional methods that are named `session`.
    private static let labels: Set = [
        "didReceiveMessage", "didReceiveMessageData", "didReceiveApplicationContext", "didReceiveUserInfo",
        "didReceive", "didFinish",
    ]
    private static let names: Set = [
        "sessionReachabilityDidChange", "sessionWatchStateDidChange", "sessionCompanionAppInstalledDidChange",
    ]

    init(_ source: SourceText, _ tokens: [SourceToken]) {
        edits = tokens.indices.dropFirst().dropLast(2).filter { place in
            guard tokens[place].kind == .word, source.matches(tokens[place - 1], "."),
                source.matches(tokens[place + 1], "?") || source.matches(tokens[place + 1], "!"),
                source.matches(tokens[place + 2], "(")
            else { return false }
            let name = source.text(tokens[place])
            if Self.names.contains(name) { return true }
            guard name == "session" else { return false }
            let end = DeclarationHead.afterBrackets(source, tokens, at: place + 2, limit: Self.maximumTokens)
            return tokens[(place + 2)..<end].contains { $0.kind == .word && Self.labels.contains(source.text($0)) }
        }.map { SourceEdit(range: tokens[$0 + 1].range) }
    }
}
