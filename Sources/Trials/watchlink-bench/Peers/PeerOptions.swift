import Foundation

/// What a measuring process is told by the one that started it.
struct PeerOptions: Codable {
    var socket: String
    var isPinned = false
    /// Driver only.
    var seconds = 1.0
    /// Driver only: messages under way at once.
    var outstanding = 1
    /// Driver only: connections at once.
    var connections = 1
    /// Whether the session writes its ledger: the disk's affair, where the way of a message is measured.
    var keepsLedger = false
    /// Durable only: whether quizzes have the identifiers that ``QuizData`` gives them, and not random ones.
    var hasOwnIdentifiers = false
    /// Reference only: bytes there and back, on the wire.
    var request = 0
    var reply = 0

    /// As one argument of a command line.
    var argument: String {
        get throws { String(decoding: try JSONEncoder().encode(self), as: UTF8.self) }
    }

    init(socket: String) { self.socket = socket }

    init(argument: String) throws {
        self = try JSONDecoder().decode(PeerOptions.self, from: Data(argument.utf8))
    }
}
