import Combine
import SwiftUI

/// The lines of the probe on the screen, the last one at the top.
final class Screen: ObservableObject, @unchecked Sendable {
    @Published private(set) var lines: [String] = []

    /// Shows and prints a line; from any thread.
    func show(_ line: String) {
        print(line)
        DispatchQueue.main.async { self.lines.insert(line, at: 0) }
    }
}

/// A list of the lines. What a person has to do begins with DO.
struct ScreenView: View {
    @ObservedObject var screen: Screen

    var body: some View {
        List(Array(screen.lines.enumerated()), id: \.offset) { _, line in
            Text(line).font(.footnote).bold(line.hasPrefix("DO"))
        }
    }
}
