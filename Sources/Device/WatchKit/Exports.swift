// Code for watches gets Foundation with WatchKit.
@_exported public import Foundation
