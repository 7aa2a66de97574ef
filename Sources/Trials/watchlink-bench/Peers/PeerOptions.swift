import Foundation

/// The options of a measuring process, passed by the process that started it.
struct PeerOptions: Codable {
    var socket: String
    var isPinned = false
    /// Driver only.
    var seconds = 1.0
    /// Driver only: the number of messages in flight.
    var outstanding = 1
    /// Driver only: the number of connections.
    var connections = 1
    /// True if the session writes its ledger; false where the path of a message is measured without the disk.
    var keepsLedger = false
    /// Driver only: the seconds between an answer and the next message.
    var pause = 0.0
    /// The path of the cassettes, before what each process adds; nil to record nothing.
    var recordings: String?
    /// Durable only: true if quizzes have the identifiers that ``QuizData`` generates instead of random ones.
    var hasOwnIdentifiers = false
    /// Reference only: the sizes of a request and a reply on the wire, in bytes.
    var request = 0
    var reply = 0

    /// The options as one command-line argument.
    var argument: String {
        get throws { String(decoding: try JSONEncoder().encode(self), as: UTF8.self) }
    }

    init(socket: String) { self.socket = socket }

    init(argument: String) throws {
        self = try JSONDecoder().decode(PeerOptions.self, from: Data(argument.utf8))
    }
}
