/// Finds what a copy must not contain: declarations that do not exist on the device, and attributes that do not exist on
/// Linux.
///
/// A declaration goes if it is unavailable on the role's own system. `iOSApplicationExtension` and
/// `watchOSApplicationExtension` change nothing: they restrict extensions, such as widgets, and a copy is an app.
struct UnavailableCode {
    /// The attributes that a copy loses without its declaration: those of Objective-C, which Linux does not have, and those
    /// that make a type the main program, because a copy belongs to a program that has its own.
    private static let dropped: Set = [
        "objc", "objcMembers", "nonobjc", "main", "UIApplicationMain", "NSApplicationMain",
    ]

    private(set) var edits: [SourceEdit] = []
    /// The tokens that remain.
    private(set) var remaining: [SourceToken] = []

    init(_ source: SourceText, _ tokens: [SourceToken], role: CopyRole) throws(CopyError) {
        let end = DeclarationEnd(source, tokens)
        var place = 0
        while place < tokens.count {
            let head = DeclarationHead(source, tokens, at: place)
            let isUnavailable = head.attributes.contains { Self.excludes(source, tokens, $0, role) }
            if isUnavailable, let after = end.after(head.end) {
                try Self.checkBalance(source, tokens[place..<after])
                let last = tokens[after - 1].range.upperBound
                edits.append(SourceEdit(range: tokens[place].range.lowerBound..<last))
                place = after
                continue
            }
            let dropped = head.attributes.filter { Self.dropped.contains($0.name) }.map(\.tokens)
            for range in dropped {
                edits.append(
                    SourceEdit(
                        range: tokens[range.lowerBound].range.lowerBound..<tokens[range.upperBound - 1].range.upperBound
                    ))
            }
            let next = max(head.end, place + 1)
            remaining += (place..<next).filter { number in !dropped.contains { $0.contains(number) } }.map {
                tokens[$0]
            }
            place = next
        }
    }

    /// Returns true for `@available(watchOS, unavailable)` in the watch's copy.
    private static func excludes(
        _ source: SourceText, _ tokens: [SourceToken], _ attribute: DeclarationHead.Attribute, _ role: CopyRole
    ) -> Bool {
        guard attribute.name == "available" else { return false }
        let words = tokens[attribute.tokens].dropFirst(3)
        guard let system = words.first, source.text(system) == role.system else { return false }
        return zip(words, words.dropFirst()).contains { before, word in
            source.matches(before, ",") && source.matches(word, "unavailable")
        }
    }

    /// Refuses to cut a declaration out of an `#if` that it only partly contains.
    private static func checkBalance(_ source: SourceText, _ tokens: ArraySlice<SourceToken>) throws(CopyError) {
        var open = 0
        for token in tokens {
            if token.kind == .directive(.ifTrue) { open += 1 }
            if token.kind == .directive(.end) { open -= 1 }
            if open < 0 { break }
        }
        guard open != 0, let first = tokens.first else { return }
        throw CopyError(
            line: source.line(of: first.range.lowerBound),
            message:
                "this unavailable declaration begins inside an #if and ends outside of it, or the other way round; "
                + "put the whole declaration into the #if")
    }
}
