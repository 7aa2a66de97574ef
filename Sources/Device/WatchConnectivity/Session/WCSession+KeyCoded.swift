package import KeyValueObservation

extension WCSession: KeyCoded {
    package func property(named key: String) -> KeyedProperty? {
        switch key {
        case "activationState": KeyedProperty(\.activationState, of: self)
        case "hasContentPending": KeyedProperty(\.hasContentPending, of: self)
        case "reachable", "isReachable": KeyedProperty(\.isReachable, of: self)
        case "paired", "isPaired": KeyedProperty(\.isPaired, of: self)
        case "watchAppInstalled", "isWatchAppInstalled": KeyedProperty(\.isWatchAppInstalled, of: self)
        case "complicationEnabled", "isComplicationEnabled": KeyedProperty(\.isComplicationEnabled, of: self)
        case "remainingComplicationUserInfoTransfers":
            KeyedProperty(\.remainingComplicationUserInfoTransfers, of: self)
        case "watchDirectoryURL": KeyedProperty(\.watchDirectoryURL, of: self)
        case "companionAppInstalled", "isCompanionAppInstalled": KeyedProperty(\.isCompanionAppInstalled, of: self)
        case "iOSDeviceNeedsUnlockAfterRebootForReachability":
            KeyedProperty(\.iOSDeviceNeedsUnlockAfterRebootForReachability, of: self)
        case "applicationContext": KeyedProperty(\.applicationContext, of: self)
        case "receivedApplicationContext": KeyedProperty(\.receivedApplicationContext, of: self)
        case "outstandingUserInfoTransfers": KeyedProperty(\.outstandingUserInfoTransfers, of: self)
        case "outstandingFileTransfers": KeyedProperty(\.outstandingFileTransfers, of: self)
        default: nil
        }
    }
}
