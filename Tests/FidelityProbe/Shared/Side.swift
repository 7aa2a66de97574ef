/// A device of the pair.
enum Side: String {
    case phone
    case watch
}
