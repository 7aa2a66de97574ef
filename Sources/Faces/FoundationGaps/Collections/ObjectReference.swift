/// A reference to an object, or to none.
struct ObjectReference {
    private let retained: AnyObject?
    private weak var unretained: AnyObject?

    static func strong(_ object: AnyObject?) -> ObjectReference {
        ObjectReference(retained: object, unretained: nil)
    }

    static func weak(_ object: AnyObject?) -> ObjectReference {
        ObjectReference(retained: nil, unretained: object)
    }

    var object: AnyObject? { retained ?? unretained }
}
