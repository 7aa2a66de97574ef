import Foundation

extension Progress: KeyCoded {
    package func property(named key: String) -> KeyedProperty? {
        switch key {
        case "totalUnitCount": KeyedProperty(\.totalUnitCount, of: self)
        case "completedUnitCount": KeyedProperty(\.completedUnitCount, of: self)
        case "fractionCompleted": KeyedProperty(\.fractionCompleted, of: self)
        case "indeterminate", "isIndeterminate": KeyedProperty(\.isIndeterminate, of: self)
        case "finished", "isFinished": KeyedProperty(\.isFinished, of: self)
        case "cancelled", "isCancelled": KeyedProperty(\.isCancelled, of: self)
        case "paused", "isPaused": KeyedProperty(\.isPaused, of: self)
        default: nil
        }
    }
}
