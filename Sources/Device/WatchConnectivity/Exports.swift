// Clients of Apple's framework get these without asking: many import WatchConnectivity alone.
@_exported public import Dispatch
@_exported public import Foundation

// Queues are keys in clients' dictionaries; on Apple's platforms they are hashable, here dispatch leaves that out.
// swift-format-ignore: AvoidRetroactiveConformances
extension DispatchQueue: @retroactive Hashable {
    public static func == (left: DispatchQueue, right: DispatchQueue) -> Bool { left === right }
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
