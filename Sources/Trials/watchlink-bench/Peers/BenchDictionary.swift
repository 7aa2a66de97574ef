import Foundation

/// A quiz as an app sends it with `sendMessage`: a dictionary of fifteen answers, about 900 bytes as a property list.
enum BenchDictionary {
    private static let answers = 15

    private static let identifier = "8C4FC8E6-5A4E-4A35-9C6B-6B0D38A4D3B1"

    /// Made once: what the app does to fill a dictionary is not measured.
    // Proof of `nonisolated(unsafe)`: an immutable tree of strings, numbers and a date.
    nonisolated(unsafe) static let quiz: [String: Any] = [
        "kind": "quiz", "identifier": identifier, "title": "Daily nutrition",
        "takenAt": Date(timeIntervalSince1970: 1_795_000_000),
        "answers": (0..<answers).map { number in
            let choice = "\(number + 1) servings"
            return ["question": "Question \(number)", "choice": choice, "points": number % 5] as [String: Any]
        },
    ]

    // Proof of `nonisolated(unsafe)`: an immutable dictionary of a Boolean value and a string.
    nonisolated(unsafe) static let acknowledgement: [String: Any] = ["stored": true, "identifier": identifier]

    /// The bytes of a dictionary, as many as the session sends for it.
    static func data(_ dictionary: [String: Any]) throws -> Data {
        try PropertyListSerialization.data(fromPropertyList: dictionary, format: .binary, options: 0)
    }
}
