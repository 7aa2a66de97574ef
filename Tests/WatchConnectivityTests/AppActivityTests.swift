import LinkProtocol
import Testing
import WatchKit

@testable import WatchConnectivity

@Suite("The app's state as Apple's modules show it")
struct AppActivityTests {
    @Test("An app in the foreground is active, with a lowered wrist inactive, and all others are in the background")
    func states() {
        let states = ApplicationState.allCases.map { application in
            var device = DeviceState()
            device.application = application
            return AppActivity.State(device)
        }
        #expect(states == [.active, .background, .background, .background])
        var lowered = DeviceState()
        lowered.isWristDown = true
        let wristDown = AppActivity.State(lowered)
        #expect(wristDown == .inactive)
    }
}
