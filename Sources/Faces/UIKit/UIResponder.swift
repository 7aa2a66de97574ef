public import Foundation

/// An object that could receive a user's actions. There are none here: it is the base class of many app delegates.
@preconcurrency @MainActor
open class UIResponder: NSObject {
    /// Creates an object.
    nonisolated public override init() {}

    /// The object that receives what this one does not handle: none.
    open var next: UIResponder? { nil }
}
