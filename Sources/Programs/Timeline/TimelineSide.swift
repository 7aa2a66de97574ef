/// A side of the link: the watches or the phone.
package enum TimelineSide: String, CaseIterable, Sendable {
    case companion
    case host

    package var other: TimelineSide { self == .host ? .companion : .host }
}
