public import Foundation

/// A variable that receives an error. Foundation on Linux lacks this type.
public typealias NSErrorPointer = UnsafeMutablePointer<NSError?>?
