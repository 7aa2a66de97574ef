// The compiler imports this module into every file that imports both Testing and UIKit. On Apple's platforms it
// attaches images to tests; without it such a file does not compile.
@_exported public import UIKit
