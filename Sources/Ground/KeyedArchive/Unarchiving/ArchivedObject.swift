public import Foundation

/// An object of a class that this process does not know, as values: see ``KeyedUnarchiver/decodesUnknownClasses``.
public final class ArchivedObject: NSObject {
    /// The class's name, as the archive has it.
    public let className: String
    /// The class and those that it derives from, as the archive claims; empty if it does not say.
    public let classNames: [String]
    /// What stands under the keys: numbers, texts and data, and the objects that are referred to. What is nil is left out.
    public let values: [String: Any]

    init(className: String, classNames: [String], values: [String: Any]) {
        self.className = className
        self.classNames = classNames
        self.values = values
        super.init()
    }
}
