/// A side of a pair.
public enum PairSide: String, CaseIterable, Sendable {
    /// The phone.
    case phone
    /// The watch; if the phone has several, all of them.
    case watch

    var other: PairSide { self == .phone ? .watch : .phone }
}
