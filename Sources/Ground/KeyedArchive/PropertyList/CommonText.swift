/// A text of nearly every archive, which is looked up by number.
enum CommonText: UInt8, CaseIterable {
    case cls
    case className
    case classes
    case object
    case elements
    case keys
    case time
    case uuid

    var text: String {
        switch self {
        case .cls: "$class"
        case .className: "$classname"
        case .classes: "$classes"
        case .object: "NSObject"
        case .elements: "NS.objects"
        case .keys: "NS.keys"
        case .time: "NS.time"
        case .uuid: "NS.uuidbytes"
        }
    }
}
