import Foundation
import WatchConnectivity

/// The watch counts glasses and tells the phone.
final class Connectivity: NSObject {
    static let shared = Connectivity()

    private override init() {
        super.init()
        guard WCSession.isSupported() else { return }
        WCSession.default.delegate = self
        WCSession.default.activate()
    }

    #if os(watchOS)
        /// Counts a glass and tells the phone: at once if it is in reach, otherwise in the background.
        func drink(_ millilitres: Int) {
            let glass = Glass(millilitres: millilitres)
            Task { @MainActor in WaterLog.shared.add(glass) }
            let session = WCSession.default
            guard session.isReachable else {
                session.transferUserInfo(glass.dictionary)
                return
            }
            session.sendMessage(glass.dictionary) { _ in
                // The phone has it.
            } errorHandler: { _ in
                // The phone went out of reach.
                session.transferUserInfo(glass.dictionary)
            }
        }
    #endif
}

extension Connectivity: WCSessionDelegate {
    func session(
        _ session: WCSession, activationDidCompleteWith activationState: WCSessionActivationState, error: Error?
    ) {}

    #if os(iOS)
        func sessionDidBecomeInactive(_ session: WCSession) {}

        func sessionDidDeactivate(_ session: WCSession) {
            session.activate()
        }

        func session(
            _ session: WCSession, didReceiveMessage message: [String: Any],
            replyHandler: @escaping ([String: Any]) -> Void
        ) {
            count(message)
            replyHandler(["counted": true])
        }

        func session(_ session: WCSession, didReceiveUserInfo userInfo: [String: Any] = [:]) {
            count(userInfo)
        }

        private func count(_ dictionary: [String: Any]) {
            guard let glass = Glass(dictionary: dictionary) else { return }
            Task { @MainActor in WaterLog.shared.add(glass) }
        }
    #endif
}
