/// The watches' side or the phone's.
package enum TimelineSide: String, CaseIterable, Sendable {
    case companion
    case host

    package var other: TimelineSide { self == .host ? .companion : .host }
}
