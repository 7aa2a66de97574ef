// Apple's WidgetKit also exports Foundation.
@_exported public import Foundation
