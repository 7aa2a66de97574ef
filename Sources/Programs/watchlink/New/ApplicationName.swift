import RecordStorage
import ServiceRuntime

/// The name of a new application: that of its type, and those which follow from it.
struct ApplicationName: Equatable {
    /// The type's name: “BloodPressure”.
    let type: String
    /// The singular name in lower-case letters, as in texts and events: “bloodpressure”.
    let singular: String
    /// The plural name, that of the table and of the command's words.
    let plural: String

    /// The types that a new package's sources name without their modules: a payload of such a name would hide them.
    private static let usedTypes: Set = [
        "Date", "Double", "Equatable", "Codable", "Error", "Foundation", "Package", "PayloadColumn", "PayloadError",
        "RecordPayload", "ServicePair", "ServiceProgram", "String", "Suite", "Target", "Test", "Testing", "UUID",
        "WatchLinkServices", "WatchLinkTesting",
    ]
    /// The words that Swift keeps for itself.
    private static let keywords: Set = ["Any", "Protocol", "Self", "Type"]
    /// The singular names with a meaning in every pair of services, in commands or among their programs.
    private static let reserved: Set = ["device", "quiz", "watchlink"]

    /// - Throws: A `UsageError` for a name that cannot be that of a type, a table and a program.
    init(_ name: String) throws(UsageError) {
        guard name.wholeMatch(of: /[A-Z][A-Za-z]*/) != nil else {
            throw UsageError(
                "“\(name)” cannot be an application's name: begin with a capital and use only letters from A to Z, "
                    + "such as Steps or BloodPressure")
        }
        type = name
        singular = name.lowercased()
        plural = Self.plural(of: singular)
        guard !Self.usedTypes.contains(name), !Self.keywords.contains(name), !Self.reserved.contains(singular) else {
            throw UsageError("“\(name)” has another meaning in Swift or WatchLink; choose another name")
        }
        do {
            try RecordKind(name: singular, plural: plural, columns: []).check()
        } catch {
            throw UsageError("“\(name)” cannot be an application's name: \(error)")
        }
    }

    /// The program of the phone's service.
    var host: String { "\(singular)-host" }
    /// The program of the watch's service.
    var companion: String { "\(singular)-companion" }
    /// The module of the payload. It differs from the type's name, because a type would hide its own module.
    var module: String { "\(type)Payload" }
    /// True if the plural is not the name with an “s”, so that the type must declare it.
    var hasOwnPlural: Bool { plural != singular + "s" }

    private static func plural(of word: String) -> String {
        if ["ss", "x", "ch", "sh", "zz"].contains(where: word.hasSuffix) { return word + "es" }
        // Such as “steps”, which counts many already.
        if word.hasSuffix("s") { return word }
        guard word.hasSuffix("y"), let before = word.dropLast().last, !"aeiou".contains(before) else {
            return word + "s"
        }
        return word.dropLast() + "ies"
    }
}
