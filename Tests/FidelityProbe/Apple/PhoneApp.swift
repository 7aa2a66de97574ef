import SwiftUI
import UIKit

/// The phone's app.
@main
struct PhoneApp: App {
    @StateObject private var screen = Screen()
    @State private var phone: Phone?

    var body: some Scene {
        WindowGroup {
            ScreenView(screen: screen).onAppear {
                guard phone == nil else { return }
                // The course takes longer than the screen stays on.
                UIApplication.shared.isIdleTimerDisabled = true
                let documents = FileManager.default.urls(for: .documentDirectory, in: .userDomainMask)[0]
                let device = UIDevice.current
                let screen = screen
                let phone = Phone(
                    system: "\(device.model), \(device.systemName) \(device.systemVersion)", directory: documents,
                    record: documents.appendingPathComponent("Record"), say: { screen.show($0) })
                phone.start()
                self.phone = phone
            }
        }
    }
}
