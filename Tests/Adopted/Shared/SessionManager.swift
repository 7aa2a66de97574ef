//
// The app's end of the connection between phone and watch.
//

import Foundation
import WatchConnectivity

#if os(watchOS) && canImport(WatchKit)
    import WatchKit
#endif

final class SessionManager: NSObject {
    static let shared = SessionManager()

    private let state = LaunchState()

    private override init() {
        super.init()
        guard WCSession.isSupported() else { return }
        Highscores.shared.launch(state)
        let observation = WCSession.default.observe(\.isReachable, options: [.new, .old]) { _, change in
            print("reachable: \(change.oldValue ?? false), then \(change.newValue ?? false)")
        }
        Highscores.shared.keep(observation, WCSession.default.publisher(for: \.isReachable).eraseToAnyPublisher())
        WCSession.default.delegate = self
        WCSession.default.activate()
    }

    @available(iOS, unavailable)
    func submitLast() {
        WCSession.default.transferUserInfo(ScoreStore.shared.last.userInfo)
        WKExtension.shared().scheduleBackgroundRefreshIfNeeded()
    }

    @available(watchOS, unavailable)
    var summary: String {
        let session = WCSession.default
        return session.isPaired && session.isWatchAppInstalled ? "ready" : "no watch"
    }
}

extension SessionManager: WCSessionDelegate {
    func session(
        _ session: WCSession, activationDidCompleteWith activationState: WCSessionActivationState, error: Error?
    ) {
        print("activated on \(Self.device), line \(#line) of \(#fileID)")
        #if os(watchOS)
            submitLast()
        #else
            print("phone \(summary)")
        #endif
    }

    #if os(iOS)
        func sessionDidBecomeInactive(_ session: WCSession) {}

        func sessionDidDeactivate(_ session: WCSession) {
            session.activate()
        }

        func session(_ session: WCSession, didReceiveUserInfo userInfo: [String: Any] = [:]) {
            if let score = Score(userInfo: userInfo) { ScoreStore.shared.add(score) }
        }
    #endif

    private static var device: String {
        #if os(iOS) && !targetEnvironment(macCatalyst)
            "iPhone"
        #elseif os(watchOS)
            "Apple Watch"
        #else
            #error("an unknown device")
        #endif
    }
}

#if os(watchOS)
    extension WKExtension {
        /// The sample's own addition to the face.
        fileprivate func scheduleBackgroundRefreshIfNeeded() {}
    }
#endif
