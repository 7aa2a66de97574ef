/// A rule for the contents of cassettes.
package enum LintRule: String, CaseIterable, Sendable {
    case unseenCrash = "unseen-crash"
    case unseenUnanswered = "unseen-unanswered"
    case madeUpCrash = "made-up-crash"
    case typeDiffers = "type-differs"
    case classDiffers = "class-differs"
    case classQualified = "class-qualified"
    case classUndecodable = "class-undecodable"
    case requiredKey = "required-key"
    case unsupportedType = "unsupported-type"
    case noVersionKey = "no-version-key"
    case newRawValue = "new-raw-value"
    case magnitudeDiffers = "magnitude-differs"
    case wideInteger = "wide-integer"
    case keySpelling = "key-spelling"
    case keyRenamed = "key-renamed"
    case untestedEnumeration = "untested-enumeration"
    case classOneSided = "class-one-sided"
    case keyAdded = "key-added"

    package var level: LintLevel {
        switch self {
        case .unseenCrash, .unseenUnanswered, .madeUpCrash, .typeDiffers, .classDiffers, .classQualified,
            .classUndecodable, .classOneSided, .requiredKey, .keyAdded, .unsupportedType:
            .decodes
        case .noVersionKey, .newRawValue, .magnitudeDiffers, .wideInteger, .untestedEnumeration: .meaning
        case .keySpelling, .keyRenamed: .source
        }
    }

    /// True if it tells what nobody has tried, which is no fault.
    package var isNote: Bool { [.untestedEnumeration, .classOneSided, .keyAdded].contains(self) }

    /// The subject of the rule, for machines that list rules.
    package var summary: String {
        switch self {
        case .unseenCrash: "A build fails when it gets a raw value that it does not know"
        case .unseenUnanswered: "A build does not answer a message with a raw value that it does not know"
        case .madeUpCrash: "A build fails with the made-up values of a cassette"
        case .typeDiffers: "A value has another type in another recording"
        case .classDiffers: "An object has another class in another recording, or from the other side"
        case .classQualified: "A class name in a keyed archive contains the name of a module"
        case .classUndecodable: "Messages with objects of a class are not answered"
        case .requiredKey:
            "A key is always there in one recording and missing in another, or no answer comes without it"
        case .unsupportedType: "A content has a type that cannot be sent"
        case .noVersionKey: "No content of a kind has a version"
        case .newRawValue: "An enumeration has a value that earlier recordings lack"
        case .magnitudeDiffers: "Numbers are of another magnitude in another recording"
        case .wideInteger: "A whole number does not fit into the Int of a watch with 32 bits"
        case .keySpelling: "A key is spelt in several ways"
        case .keyRenamed: "A key has another name in another recording"
        case .untestedEnumeration: "A value behaves as an enumeration, and no build was tried with an unknown one"
        case .keyAdded: "A key is new, so older builds do not send it"
        case .classOneSided: "Only one side sends objects of a class"
        }
    }

    /// The advice to whoever breaks it.
    package var cure: String {
        switch self {
        case .unseenCrash, .unseenUnanswered:
            "decode it with init?(rawValue:) and treat nil as an unknown case, as @unknown default does"
        case .madeUpCrash:
            "treat a value that is not known as such; if the app is right, keep what it needs with --keep and record again"
        case .typeDiffers: "keep the old type at this key, and send the new one under a new key"
        case .classDiffers, .classQualified, .classUndecodable, .classOneSided:
            "give both sides one name: setClassName(_:for:) at the archiver and setClass(_:forClassName:) at the unarchiver, or @objc(Name)"
        case .requiredKey: "go on sending it, or read it as an optional with a default in both apps"
        case .keyAdded: "read it as an optional with a default, as older builds do not send it"
        case .unsupportedType: "send property-list types only: text, number, truth value, date, data, list, dictionary"
        case .noVersionKey: "send a key such as “version”, and take a missing one for the first version"
        case .newRawValue: "send it only to builds that know it, by the version key, or beside an older value"
        case .magnitudeDiffers: "name the unit in the key, such as “pauseSeconds”, and use a new key for a new unit"
        case .wideInteger: "read it as Int64 in both apps; on watches with arm64_32, Int has 32 bits"
        case .keySpelling: "spell it in one way, from one constant or one CodingKeys that both apps share"
        case .keyRenamed: "go on reading the old key, and send both for a while"
        case .untestedEnumeration: "try a build of the app that gets it, with --phone or --watch"
        }
    }
}
