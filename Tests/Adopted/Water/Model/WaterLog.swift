import Combine
import Foundation

#if os(iOS)
    import WidgetKit
#endif

/// The glasses of a day.
@MainActor
final class WaterLog: ObservableObject {
    static let shared = WaterLog()

    @Published private(set) var glasses: [Glass] = []

    var total: Int { glasses.reduce(0) { $0 + $1.millilitres } }

    func add(_ glass: Glass) {
        glasses.append(glass)
        #if os(iOS)
            WidgetCenter.shared.reloadAllTimelines()
        #endif
    }
}
