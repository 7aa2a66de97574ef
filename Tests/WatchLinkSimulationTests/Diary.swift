import Foundation

/// A device's file, and what it remembers of it.
@MainActor
final class Diary {
    static let shared = Diary()
    private(set) var writes = 0
    private(set) var refusals = 0
    private let path = "diary"

    func begin() { write("begin") }

    func write(_ line: String) {
        let before = FileManager.default.contents(atPath: path) ?? Data()
        do {
            try (before + Data((line + "\n").utf8)).write(to: URL(fileURLWithPath: path), options: .atomic)
            writes += 1
        } catch {
            refusals += 1
        }
    }

    func lines() throws -> [String] {
        try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").map { String($0) }
    }

    /// Dies: it says that it is on the main actor, and is not.
    func writeSomewhereElse() {
        DispatchQueue.global().async { MainActor.assumeIsolated { Diary.shared.write("elsewhere") } }
    }

    func waitForEver() { DispatchSemaphore(value: 0).wait() }

    func waitHourByHour() { while DispatchSemaphore(value: 0).wait(timeout: .now() + 3_600) == .timedOut {} }
}
