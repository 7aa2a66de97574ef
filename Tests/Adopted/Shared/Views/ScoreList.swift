import SwiftUI

struct ScoreList: View {
    var body: some View {
        List {
            Text("Scores")
                #if os(iOS)
                    .font(.title)
                #endif
        }
    }
}
