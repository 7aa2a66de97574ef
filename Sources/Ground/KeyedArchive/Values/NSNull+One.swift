import Foundation

extension NSNull {
    /// The one that is used throughout. On Linux each has another hash, so that two are sometimes equal and sometimes not.
    static let one = NSNull()
}
