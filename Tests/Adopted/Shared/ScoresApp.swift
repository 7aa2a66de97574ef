import SwiftUI

@main
struct ScoresApp: App {
    private let session = SessionManager.shared

    var body: some Scene {
        WindowGroup { ScoreList() }
    }
}
