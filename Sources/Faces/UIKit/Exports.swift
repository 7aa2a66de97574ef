// Apple's UIKit also exports Foundation.
@_exported public import Foundation
