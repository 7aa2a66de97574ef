// On Apple's platforms, these come with Foundation.
@_exported public import Foundation
@_exported public import KeyValueObservation
@_exported public import Observation
