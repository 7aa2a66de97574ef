/// The two lists of a collection: each stands under one key or, in old archives, one element under each of many keys.
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
