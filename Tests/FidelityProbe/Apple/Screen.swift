import Combine
import SwiftUI

/// The lines of the probe, the last one first.
final class Screen: ObservableObject, @unchecked Sendable {
    @Published private(set) var lines: [String] = []

    /// Shows and prints a line; from any thread.
    func show(_ line: String) {
        print(line)
        DispatchQueue.main.async { self.lines.insert(line, at: 0) }
    }
}

/// The screen of either app: a button that begins the course, and its lines. What a person has to do begins with DO.
struct ScreenView: View {
    @ObservedObject var screen: Screen
    /// True if an earlier process has begun the course.
    let isUnderWay: Bool
    let begin: () -> Void

    @State private var hasBegun = false

    var body: some View {
        List {
            if !hasBegun { Button("Begin", action: start) }
            ForEach(Array(screen.lines.enumerated()), id: \.offset) { _, line in
                Text(line).font(.footnote).bold(line.hasPrefix("DO"))
            }
        }
        .onAppear { if isUnderWay { start() } }
    }

    private func start() {
        guard !hasBegun else { return }
        hasBegun = true
        begin()
    }
}
