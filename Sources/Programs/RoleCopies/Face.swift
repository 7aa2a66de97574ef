/// A module of Apple's platforms that WatchLink supplies on Linux, as a product of the same name.
package enum Face: String, CaseIterable, Sendable {
    case combine = "Combine"
    case os
    case osLog = "OSLog"
    case watchKit = "WatchKit"
    case uiKit = "UIKit"
    case clockKit = "ClockKit"
    case widgetKit = "WidgetKit"

    /// The beginning of the module's names, if all share one.
    private var prefix: String? {
        switch self {
        case .combine, .os, .osLog, .widgetKit: nil
        case .watchKit: "WK"
        case .uiKit: "UI"
        case .clockKit: "CLK"
        }
    }

    /// The names of the module that the face has; nil if it is not known what is missing.
    private var names: Set<String>? {
        switch self {
        case .combine, .os, .osLog, .widgetKit: nil
        case .watchKit:
            [
                "WKExtension", "WKExtensionDelegate", "WKApplication", "WKApplicationDelegate", "WKApplicationState",
                "WKInterfaceDevice", "WKRefreshBackgroundTask", "WKApplicationRefreshBackgroundTask",
                "WKSnapshotRefreshBackgroundTask", "WKURLSessionRefreshBackgroundTask",
                "WKWatchConnectivityRefreshBackgroundTask",
            ]
        case .uiKit:
            [
                "UIApplication", "UIApplicationDelegate", "UIColor", "UIDevice", "UIResponder",
                "UIBackgroundTaskIdentifier",
                "UIBackgroundFetchResult",
            ]
        case .clockKit: ["CLKComplicationServer", "CLKComplication", "CLKComplicationFamily"]
        }
    }

    /// Returns the face whose module a name belongs to without being in the face; nil for all other names.
    static func lacking(_ name: String) -> Face? {
        guard Face(rawValue: name) == nil else { return nil }
        return allCases.first { face in
            guard let prefix = face.prefix, let names = face.names, name.hasPrefix(prefix), !names.contains(name),
                let next = name.dropFirst(prefix.count).first
            else { return false }
            // UIKit's names continue with a capital letter; the rest of the word is not a constant in capitals.
            return next.isUppercase && name.contains { $0.isLowercase }
        }
    }
}
