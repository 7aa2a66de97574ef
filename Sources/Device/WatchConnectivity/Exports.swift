// Apple's framework also exports these: many clients import WatchConnectivity only.
@_exported public import Dispatch
@_exported public import Foundation
@_exported public import KeyValueObservation

// Clients use queues as dictionary keys; Apple's platforms make them hashable, Dispatch on Linux does not.
// swift-format-ignore: AvoidRetroactiveConformances
extension DispatchQueue: @retroactive Hashable {
    public static func == (left: DispatchQueue, right: DispatchQueue) -> Bool { left === right }
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
