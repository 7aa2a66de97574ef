import SwiftUI
import UIKit

/// The phone's app.
@main
struct PhoneApp: App {
    @StateObject private var screen = Screen()
    private let documents = FileManager.default.urls(for: .documentDirectory, in: .userDomainMask)[0]

    var body: some Scene {
        WindowGroup { ScreenView(screen: screen, isUnderWay: Memory.isUnderWay(in: documents), begin: begin) }
    }

    private func begin() {
        // The course takes longer than the screen stays on.
        UIApplication.shared.isIdleTimerDisabled = true
        let (device, screen) = (UIDevice.current, screen)
        Phone(
            system: "\(device.model), \(device.systemName) \(device.systemVersion)", directory: documents,
            record: documents.appendingPathComponent("Record"), say: { screen.show($0) }
        ).start()
    }
}
