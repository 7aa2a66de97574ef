// Apple's framework also exports these.
@_exported public import Foundation
@_exported public import os
