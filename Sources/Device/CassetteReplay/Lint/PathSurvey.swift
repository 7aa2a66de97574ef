/// The types, classes and values at one key path of a kind of content.
struct PathSurvey: Sendable {
    /// The most different values that are counted. 33: an enumeration has at most 32.
    static let mostValues = 33
    /// The most classes that are told apart. 64: more at one key path are no names of an app's classes.
    private static let mostClasses = 64
    /// The bound below which numbers may fit into 32 bits; those with a higher one do not.
    private static let narrow: Double = 4_294_967_296

    /// The last key of the path, which may contain dots itself.
    let key: String
    /// The events by type, without `null`, which every type can have in its place.
    private(set) var types: [String: Seen] = [:]
    /// The same by the word that says what kind of content it is.
    private(set) var typesOfKinds: [String: [String: Seen]] = [:]
    private(set) var classes: [String: Seen] = [:]
    /// The events by class whose messages were not answered.
    private(set) var failed: [String: Int] = [:]
    /// The events by text or whole number, as the leaf has it.
    private(set) var values: [String: Seen] = [:]
    /// The values, among several in one event, too.
    private(set) var occurrences = 0
    /// The powers of 16 that the magnitudes of numbers are below.
    private(set) var bounds: [Double: Seen] = [:]
    /// The whole numbers that do not fit into 32 bits.
    private(set) var wide: Seen?

    init(key: String) { self.key = key }

    mutating func note(type: String, of word: String, _ seen: Seen) {
        types.add(seen, type)
        typesOfKinds[word, default: [:]].add(seen, type)
    }

    mutating func note(class name: String, _ fate: KeyShape.Fate) {
        guard classes[name] != nil || classes.count < Self.mostClasses else { return }
        classes.add(fate.seen, name)
        failed[name, default: 0] += fate.failed
    }

    mutating func note(value: String, _ seen: Seen) {
        occurrences += seen.count
        guard values[value] != nil || values.count < Self.mostValues else { return }
        values.add(seen, value)
    }

    mutating func note(bound: Double, isWhole: Bool, _ seen: Seen) {
        if isWhole, bound > Self.narrow {
            if wide == nil { wide = seen } else { wide?.add(seen) }
        }
        if bounds[bound] == nil { bounds[bound] = seen } else { bounds[bound]?.add(seen) }
    }
}
