import Foundation

/// A service on the internet, or a slow disk: what one asks of it takes its time.
enum Server {
    static func ask(_ milliseconds: ClosedRange<Int> = 20...300) async {
        do {
            try await Task.sleep(for: .milliseconds(Int.random(in: milliseconds)))
        } catch {
            // Cancelled: then nobody waits any more.
        }
    }
}
