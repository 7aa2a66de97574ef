import Foundation
import Locking

/// The readings of all devices. Each writes its own file; only one device runs at a time, so every file is complete.
final class ReadingBoard: Sendable {
    private struct State {
        /// The world's directory; nil outside of a device.
        var directory: String?
        var own: (device: String, texts: [String])?
    }

    private let state = Mutex(State())

    /// Makes this the board of a device in this process.
    func begin(directory: String) { state.withLock { $0.directory = directory } }

    /// Writes a device's readings, each as JSON, if they have changed.
    func publish(_ texts: [String], of device: String) throws {
        let path = state.withLock { state -> String? in
            guard let directory = state.directory, state.own?.texts != texts else { return nil }
            state.own = (device, texts)
            return Self.path(directory, device)
        }
        guard let path else { return }
        try JSONEncoder().encode(texts).write(to: URL(fileURLWithPath: path), options: .atomic)
    }

    func value<Value: Decodable>(_ key: ReadingKey, as type: Value.Type) throws -> Value? {
        let (directory, own) = state.withLock { ($0.directory, $0.own) }
        guard let directory else { return nil }
        let texts: [String]
        if let own, own.device == key.device {
            texts = own.texts
        } else {
            // A device without readings so far has no file.
            guard let data = FileManager.default.contents(atPath: Self.path(directory, key.device)) else { return nil }
            texts = try JSONDecoder().decode([String].self, from: data)
        }
        guard texts.indices.contains(key.index) else { return nil }
        return try JSONDecoder().decode(Value.self, from: Data(texts[key.index].utf8))
    }

    private static func path(_ directory: String, _ device: String) -> String { "\(directory)/\(device).readings" }
}
