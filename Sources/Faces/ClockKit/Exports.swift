// Apple's ClockKit also exports Foundation.
@_exported public import Foundation
