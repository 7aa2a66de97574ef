import Foundation

/// The declaration of a reading.
struct ReadingDeclaration {
    let read: @Sendable @MainActor () throws -> String

    init<Value: Codable & Sendable>(_ read: @escaping @Sendable @MainActor () throws -> Value) {
        self.read = {
            let encoder = JSONEncoder()
            encoder.outputFormatting = .sortedKeys
            return String(decoding: try encoder.encode(try read()), as: UTF8.self)
        }
    }
}

/// The key of one of a device's readings.
struct ReadingKey: Hashable {
    let device: String
    let index: Int
}
