/// A list of a collection: stored under one key or, in old archives, with a key per element.
enum CollectionList: String {
    case elements = "NS.objects"
    case keys = "NS.keys"

    func numberedKey(_ position: Int) -> String {
        switch self {
        case .elements: "NS.object.\(position)"
        case .keys: "NS.key.\(position)"
        }
    }
}
