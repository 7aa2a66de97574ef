public import Foundation

extension UserDefaults {
    /// Sets the value of a default, as ``DeviceUserDefaults/set(_:forKey:)`` does.
    public func setValue(_ value: Any?, forKey key: String) { set(value, forKey: key) }
}
