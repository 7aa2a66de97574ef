import SwiftUI
import WatchKit

/// The watch's app.
@main
struct WatchApp: App {
    @StateObject private var screen = Screen()
    @State private var watch: Watch?

    var body: some Scene {
        WindowGroup {
            ScreenView(screen: screen).onAppear {
                guard watch == nil else { return }
                let documents = FileManager.default.urls(for: .documentDirectory, in: .userDomainMask)[0]
                let device = WKInterfaceDevice.current()
                let screen = screen
                let watch = Watch(
                    system: "\(device.model), \(device.systemName) \(device.systemVersion)", directory: documents,
                    say: { screen.show($0) })
                watch.start()
                self.watch = watch
            }
        }
    }
}
