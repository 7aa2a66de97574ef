/// A product of WatchLink that supplies on Linux what Apple's platforms have: a module of the same name, or a part of
/// Foundation.
package enum Face: String, CaseIterable, Sendable {
    case combine = "Combine"
    case os
    case osLog = "OSLog"
    case watchKit = "WatchKit"
    case uiKit = "UIKit"
    case clockKit = "ClockKit"
    case widgetKit = "WidgetKit"
    /// The part of Foundation that only Apple's platforms have; no source imports it.
    case foundationGaps = "FoundationGaps"

    /// The beginning of the module's names, if all share one.
    private var prefix: String? {
        switch self {
        case .combine, .os, .osLog, .widgetKit, .foundationGaps: nil
        case .watchKit: "WK"
        case .uiKit: "UI"
        case .clockKit: "CLK"
        }
    }

    /// The names of the module that the face has; nil if it is not known what is missing.
    private var names: Set<String>? {
        switch self {
        case .combine, .os, .osLog, .widgetKit, .foundationGaps: nil
        case .watchKit:
            [
                "WKExtension", "WKExtensionDelegate", "WKApplication", "WKApplicationDelegate", "WKApplicationState",
                "WKHapticType", "WKInterfaceDevice", "WKInterfaceDeviceBatteryState", "WKRefreshBackgroundTask",
                "WKApplicationRefreshBackgroundTask",
                "WKSnapshotRefreshBackgroundTask", "WKURLSessionRefreshBackgroundTask",
                "WKWatchConnectivityRefreshBackgroundTask",
            ]
        case .uiKit:
            [
                "UIApplication", "UIApplicationDelegate", "UIColor", "UIDevice", "UIResponder",
                "UIBackgroundTaskIdentifier", "UIBackgroundFetchResult",
            ]
        case .clockKit:
            [
                "CLKComplicationServer", "CLKComplication", "CLKComplicationFamily", "CLKDefaultComplicationIdentifier",
            ]
        }
    }

    /// The classes of UIKit that exist on the watch, and therefore in its copy.
    private static let watchNames: Set = ["UIColor"]

    /// Returns the face whose module a name belongs to, by its spelling; nil if it looks like none of them.
    static func owner(of name: String) -> Face? {
        guard Face(rawValue: name) == nil else { return nil }
        return allCases.first { face in
            guard let prefix = face.prefix, name.hasPrefix(prefix), let next = name.dropFirst(prefix.count).first else {
                return false
            }
            // A type's name continues with a capital letter; a constant in capitals has no small ones.
            return next.isUppercase && name.contains { $0.isLowercase }
        }
    }

    /// Returns the face whose module a name belongs to without being in the face; nil for all other names.
    static func lacking(_ name: String) -> Face? {
        owner(of: name).flatMap { $0.names?.contains(name) == false ? $0 : nil }
    }

    /// Returns the only device that has a type; nil if both or none have it.
    static func onlyDevice(with name: String) -> CopyRole? {
        switch owner(of: name) {
        case .watchKit, .clockKit: .watch
        case .uiKit where lacking(name) == nil && !watchNames.contains(name): .phone
        case .uiKit, .combine, .os, .osLog, .widgetKit, .foundationGaps, nil: nil
        }
    }
}
