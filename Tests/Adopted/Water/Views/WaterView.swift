import SwiftUI

struct WaterView: View {
    @ObservedObject var log = WaterLog.shared

    var body: some View {
        Text("\(log.total) ml")
    }
}
