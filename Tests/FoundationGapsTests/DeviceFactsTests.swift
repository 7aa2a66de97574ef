import Foundation
import FoundationGaps
import Testing

@Suite("Directories and energy")
struct DeviceFactsTests {
    @Test("Directories are those of the file manager, or in the home directory")
    func directories() {
        let documents = FileManager.default.urls(for: .documentDirectory, in: .userDomainMask).first
        #expect(URL.documentsDirectory == documents)
        let caches = FileManager.default.urls(for: .cachesDirectory, in: .userDomainMask).first
        #expect(URL.cachesDirectory == caches)
        let all = [
            URL.documentsDirectory, .cachesDirectory, .applicationSupportDirectory, .libraryDirectory,
        ]
        #expect(Set(all).count == 4)
        #expect(all.allSatisfy { $0.path(percentEncoded: false).hasPrefix(NSHomeDirectory()) })
    }

    @Test("A device is cool and does not save energy")
    func energy() {
        let process = ProcessInfo.processInfo
        #expect(process.thermalState == .nominal)
        #expect(!process.isLowPowerModeEnabled)
    }
}
