public import Foundation

/// Posts on the main queue, where observers expect it.
public protocol NotificationPosting {}

extension NotificationPosting {
    public func post(_ name: Notification.Name, object: any Sendable, userInfo: [String: any Sendable] = [:]) {
        DispatchQueue.main.async {
            NotificationCenter.default.post(name: name, object: object, userInfo: userInfo)
        }
    }
}
