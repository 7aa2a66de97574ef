// Clients of Apple's framework get these without asking: many import WatchConnectivity alone.
@_exported public import Dispatch
@_exported public import Foundation
