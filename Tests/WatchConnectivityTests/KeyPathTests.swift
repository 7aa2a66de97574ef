import Foundation
import KeyValueObservation
import Testing
import WatchConnectivity

@Suite("Properties of a session by their names")
struct KeyPathTests {
    private final class Observer: NSObject, KeyPathObserver {
        private(set) var told: [(keyPath: String?, change: [NSKeyValueChangeKey: Any])] = []

        func observeValue(
            forKeyPath keyPath: String?, of object: Any?, change: [NSKeyValueChangeKey: Any]?,
            context: UnsafeMutableRawPointer?
        ) {
            told.append((keyPath, change ?? [:]))
        }
    }

    @Test(
        "An observer is told of a property by the name that it gave",
        arguments: [
            "activationState", "hasContentPending", "reachable", "isReachable", "paired", "isPaired",
            "watchAppInstalled", "isWatchAppInstalled", "complicationEnabled", "isComplicationEnabled",
            "remainingComplicationUserInfoTransfers", "watchDirectoryURL", "companionAppInstalled",
            "isCompanionAppInstalled", "iOSDeviceNeedsUnlockAfterRebootForReachability", "applicationContext",
            "receivedApplicationContext", "outstandingUserInfoTransfers", "outstandingFileTransfers",
        ])
    func names(_ name: String) {
        let (session, observer) = (WCSession(), Observer())
        session.addObserver(observer, forKeyPath: name, options: [.initial, .new], context: nil)
        session.removeObserver(observer, forKeyPath: name)
        let names = observer.told.map(\.keyPath)
        #expect(names == [name])
        let value = observer.told.first?.change[.newKey]
        #expect(value != nil)
    }

    @Test("A truth value is a number, an enumeration its raw value, and nil an object that stands for it")
    func values() {
        let (session, observer) = (WCSession(), Observer())
        for name in ["reachable", "activationState", "watchDirectoryURL"] {
            session.addObserver(observer, forKeyPath: name, options: [.initial, .new, .old], context: nil)
        }
        let values = observer.told.map { $0.change[.newKey] }
        #expect(values.count == 3)
        let isReachable = values.first as? Bool
        #expect(isReachable == false)
        let state = values.dropFirst().first as? Int
        #expect(state == WCSessionActivationState.notActivated.rawValue)
        #expect(values.last is NSNull)
        let old = observer.told.compactMap { $0.change[.oldKey] }
        #expect(old.isEmpty)
    }
}
