import SwiftUI

@main
struct WaterApp: App {
    private let connectivity = Connectivity.shared

    var body: some Scene {
        WindowGroup { WaterView() }
    }
}
