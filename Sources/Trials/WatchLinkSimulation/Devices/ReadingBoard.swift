import Foundation
import Locking

/// What was read on all devices. Each writes its own into a file of the world; as only one of them runs at a time, nobody reads half of it.
final class ReadingBoard: Sendable {
    private struct State {
        /// The world's directory, in a device.
        var directory: String?
        var own: (device: String, texts: [String])?
    }

    private let state = Mutex(State())

    /// Makes this the board of a device.
    func begin(directory: String) { state.withLock { $0.directory = directory } }

    /// Writes a device's readings, as JSON each, if they are other than before.
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
            // A device that has not read anything yet has no file.
            guard let data = FileManager.default.contents(atPath: Self.path(directory, key.device)) else { return nil }
            texts = try JSONDecoder().decode([String].self, from: data)
        }
        guard texts.indices.contains(key.index) else { return nil }
        return try JSONDecoder().decode(Value.self, from: Data(texts[key.index].utf8))
    }

    private static func path(_ directory: String, _ device: String) -> String { "\(directory)/\(device).readings" }
}
