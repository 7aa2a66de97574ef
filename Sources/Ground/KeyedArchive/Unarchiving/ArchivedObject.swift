public import Foundation

/// The class name and values of an object whose class this process does not know: see
/// ``KeyedUnarchiver/decodesUnknownClasses``.
public final class ArchivedObject: NSObject {
    /// The name of the class in the archive.
    public let className: String
    /// The names of the class and its ancestors, as claimed by the archive; empty if it does not list them.
    public let classNames: [String]
    /// The values by key: numbers, texts and data, and referenced objects. Nil values are omitted.
    public let values: [String: Any]

    init(className: String, classNames: [String], values: [String: Any]) {
        self.className = className
        self.classNames = classNames
        self.values = values
        super.init()
    }
}
