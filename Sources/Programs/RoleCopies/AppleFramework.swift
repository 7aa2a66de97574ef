/// The frameworks of Apple's platforms that nothing supplies on Linux, and the names that show that a source uses one.
enum AppleFramework {
    /// The frameworks whose names begin alike, with those beginnings.
    private static let beginnings: [String: [String]] = [
        "ARKit": ["AR"], "AVFAudio": ["AV"], "AVFoundation": ["AV", "CMTime", "CMSample"], "AVKit": ["AV"],
        "AudioToolbox": ["Audio", "kAudio", "kSystem"], "BackgroundTasks": ["BG"], "CallKit": ["CX"],
        "CloudKit": ["CK"], "Contacts": ["CN"], "ContactsUI": ["CN"], "CoreBluetooth": ["CB"], "CoreData": coreData,
        "CoreGraphics": ["CG", "kCG"], "CoreHaptics": ["CH"], "CoreImage": ["CI", "kCI"],
        "CoreLocation": ["CL", "kCL"], "CoreML": ["ML"], "CoreMotion": ["CM"],
        "CoreSpotlight": ["CS", "kMDItem"], "CoreTelephony": ["CT"], "CoreText": ["CT", "kCT"], "EventKit": ["EK"],
        "EventKitUI": ["EK"], "GameKit": ["GK"], "HealthKit": ["HK"], "HomeKit": ["HM"], "Intents": ["IN"],
        "IntentsUI": ["IN"], "LocalAuthentication": ["LA", "kLA"], "MapKit": ["MK", "CL"],
        "MediaPlayer": ["MP"], "MessageUI": ["MF"], "MultipeerConnectivity": ["MC"], "NaturalLanguage": ["NL"],
        "Network": ["NW"], "NetworkExtension": ["NE"], "PassKit": ["PK"], "Photos": ["PH"], "PhotosUI": ["PH"],
        "QuartzCore": ["CA", "kCA"], "SceneKit": ["SCN"], "Speech": ["SF"], "SpriteKit": ["SK"],
        "UserNotifications": ["UN"], "Vision": ["VN"],
    ]

    private static let coreData = [
        "NSManaged", "NSPersistent", "NSFetch", "NSEntity", "NSMerge", "NSBatch", "NSAttributeD", "NSRelationship",
        "NSAsynchronousFetch", "NSExpressionDescription", "NSMigration", "NSMappingModel",
    ]

    /// The names with such a beginning that Foundation has on Linux.
    private static let ofFoundation: Set = ["CGFloat", "CGPoint", "CGRect", "CGSize"]

    /// The frameworks whose names have nothing in common, with the names.
    private static let words: [String: Set<String>] = ["SwiftData": swiftData, "SwiftUI": SwiftUINames.all]

    private static let swiftData: Set = [
        "Attribute", "DataStore", "DefaultSerialModelExecutor", "FetchDescriptor", "Index", "Model", "ModelActor",
        "ModelConfiguration", "ModelContainer", "ModelContext", "PersistentIdentifier", "PersistentModel", "Query",
        "Relationship", "Schema", "SchemaMigrationPlan", "Transient", "Unique", "VersionedSchema",
    ]

    /// Others, whose use cannot be told by names.
    private static let others: Set = [
        "Accelerate", "Accessibility", "ActivityKit", "AdSupport", "AppIntents", "AppKit", "AppTrackingTransparency",
        "AuthenticationServices", "Charts", "Cocoa", "CommonCrypto", "CoreMedia", "CoreVideo", "CryptoKit", "Darwin",
        "DeviceActivity", "DeviceCheck", "FamilyControls", "FoundationModels", "GameplayKit", "ImageIO",
        "JavaScriptCore", "LinkPresentation", "ManagedSettings", "MachO", "MetricKit", "Metal", "MusicKit",
        "NearbyInteraction",
        "ObjectiveC", "PDFKit", "ReplayKit", "SafariServices", "Security", "StoreKit", "SystemConfiguration", "TipKit",
        "UniformTypeIdentifiers", "UserNotificationsUI", "VideoToolbox", "WeatherKit", "WebKit", "WorkoutKit",
    ]

    static func contains(_ module: String) -> Bool {
        beginnings[module] != nil || words[module] != nil || others.contains(module)
    }

    /// Returns true if a source's names tell whether it uses a framework.
    static func isRecognized(_ module: String) -> Bool { beginnings[module] != nil || words[module] != nil }

    /// Returns true if a name is, by its spelling, one of a framework, or is the framework's own.
    static func owns(_ name: String, _ module: String) -> Bool {
        if name == module || words[module]?.contains(name) == true { return true }
        // A constant in capitals has no small letters.
        guard !ofFoundation.contains(name), Face.owner(of: name) == nil, name.contains(where: \.isLowercase) else {
            return false
        }
        return beginnings[module, default: []].contains { beginning in
            guard name.hasPrefix(beginning), let next = name.dropFirst(beginning.count).first else { return false }
            // A short beginning is one only before the capital letter of the next word.
            return beginning.count > 3 || next.isUppercase
        }
    }

    /// The advice for those that many layers import.
    static func advice(_ module: String) -> String {
        switch module {
        case "SwiftUI": "keep views and the layer in different files"
        case "CoreGraphics":
            "Foundation has CGFloat, CGPoint, CGSize and CGRect; import it only #if canImport(CoreGraphics)"
        case "Darwin": "import Foundation instead, or import it only #if canImport(Darwin)"
        case "HealthKit": "keep what reads health data and the layer in different files"
        case _ where contains(module):
            "Linux does not have this framework; keep what uses it and the layer in different files"
        default:
            "if it is yours, adopt the folder of its sources as well, or make it a dependency in Package.swift"
        }
    }
}
