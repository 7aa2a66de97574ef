/// The names that come with Foundation on Apple's platforms, but not on Linux.
struct FoundationNames {
    /// A name, the face that supplies it, and advice if none does.
    struct Gap {
        let name: String
        var supply: Face?
        var advice = ""
    }

    private let modules: Set<String>

    /// - Parameter imports: The imports of the source.
    init(imports: [ImportStatement]) { modules = Set(imports.map(\.module)) }

    /// The names of Combine that layers use without importing it, because Apple's Foundation exports it.
    private static let combine: Set = [
        "ObservableObject", "Published", "AnyCancellable", "AnyPublisher", "PassthroughSubject", "CurrentValueSubject",
    ]

    /// The names of Foundation that the face has.
    private static let supplied = [
        "UserDefaults": "UserDefaults",
        "forSecurityApplicationGroupIdentifier": "containerURL(forSecurityApplicationGroupIdentifier:)",
        "NSFileCoordinator": "NSFileCoordinator", "NSPointerArray": "NSPointerArray",
        "performExpiringActivity": "performExpiringActivity(withReason:using:)",
        "NSErrorPointer": "NSErrorPointer", "NSEC_PER_SEC": "NSEC_PER_SEC", "NSEC_PER_MSEC": "NSEC_PER_MSEC",
        "NSEC_PER_USEC": "NSEC_PER_USEC", "USEC_PER_SEC": "USEC_PER_SEC",
    ]

    /// The names of Foundation that nothing has, with advice.
    private static let lacking = [
        "NSHashTable": "use an array of weak references", "NSMapTable": "use a dictionary",
        "NSFilePresenter": "the product FoundationGaps has NSFileCoordinator without presenters",
        "NSFileAccessIntent": "the product FoundationGaps has NSFileCoordinator without intents",
        "LocalizedStringResource": "use String(localized:)",
        "RelativeDateTimeFormatter": "keep texts for people and the layer in different files",
        "DateComponentsFormatter": "keep texts for people and the layer in different files",
        "NSUbiquitousKeyValueStore": "keep iCloud and the layer in different files",
        "NSMetadataQuery": "keep iCloud and the layer in different files",
        "NSUserActivity": "keep activities and the layer in different files",
        "NSItemProvider": "keep the sharing of items and the layer in different files",
        "NSException": "use errors",
    ]

    /// Returns the gap at a word of a copy; nil if there is none.
    func gap(_ word: String, _ copy: RoleCopy, _ place: Int) -> Gap? {
        if Self.combine.contains(word), !modules.contains(Face.combine.rawValue) {
            return Gap(name: word, supply: .combine)
        }
        if let name = Self.supplied[word] { return Gap(name: name, supply: .foundationGaps) }
        if let advice = Self.lacking[word] { return Gap(name: word, advice: advice) }
        func has(_ text: StaticString, at distance: Int) -> Bool {
            copy.tokens.indices.contains(place + distance)
                && copy.source.matches(copy.tokens[place + distance], text)
        }
        if word == "localized", has("(", at: -1), has("String", at: -2) {
            return Gap(name: "String(localized:)", supply: .foundationGaps)
        }
        if word == "Observable", has("@", at: -1), !modules.contains("Observation") {
            return Gap(name: "@Observable", supply: .foundationGaps)
        }
        if word == "observeValue", has("(", at: 1), has("forKeyPath", at: 2) {
            return Gap(
                name: "observeValue(forKeyPath:of:change:context:)",
                advice: "key paths of text need Objective-C; use observe(_:options:changeHandler:)")
        }
        return nil
    }
}
