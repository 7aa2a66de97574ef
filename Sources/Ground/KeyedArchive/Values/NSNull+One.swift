import Foundation

extension NSNull {
    /// The instance that the codec always uses. On Linux each instance has a different hash, so two are only sometimes
    /// equal.
    static let one = NSNull()
}
