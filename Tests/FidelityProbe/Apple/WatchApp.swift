import SwiftUI
import WatchKit

/// The watch's app.
@main
struct WatchApp: App {
    @StateObject private var screen = Screen()
    private let documents = FileManager.default.urls(for: .documentDirectory, in: .userDomainMask)[0]

    var body: some Scene {
        WindowGroup { ScreenView(screen: screen, isUnderWay: Memory.isUnderWay(in: documents), begin: begin) }
    }

    private func begin() {
        let (device, screen) = (WKInterfaceDevice.current(), screen)
        Watch(
            system: "\(device.model), \(device.systemName) \(device.systemVersion)", directory: documents,
            say: { screen.show($0) }
        ).start()
    }
}
