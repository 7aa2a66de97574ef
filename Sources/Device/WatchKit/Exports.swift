// Apple's WatchKit also exports Foundation.
@_exported public import Foundation
