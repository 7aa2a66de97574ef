public import Foundation
public import KeyedArchive

/// What travels: one message, or the answer to one, with all that is known of its delivery.
///
/// Immutable, so that it can be handed to any thread; a change of status makes a new one. Archived as `MessagePackage`,
/// whatever module the class stands in.
public final class MessagePackage: NSObject, NSSecureCoding, ArchiveNaming, Sendable {
    /// The same over every retry of one message.
    public let identifier: UUID
    public let command: Command
    public let status: DeliveryStatus
    /// The payload: for messages the bytes or the archived dictionary.
    public let dataPackage: Data?
    /// Why it failed, in words.
    public let errorMessage: String?
    /// Why it failed, as a number of `WCError.Code`.
    public let errorCode: Int?
    /// The message that this package answers.
    public let answers: UUID?
    /// Whether the sender waits for a reply.
    public let wantsReply: Bool
    /// Whether a sender's queue begins anew with this transfer, after some of what was under way was put off.
    public let startsRound: Bool
    /// When the sender made it, by the sender's wall clock.
    public let timestamp: Date
    /// The device it came from. Known to the receiver from the connection, never read from the package itself.
    public let origin: UUID?

    public init(
        identifier: UUID, command: Command, status: DeliveryStatus, dataPackage: Data? = nil,
        errorMessage: String? = nil,
        errorCode: Int? = nil, answers: UUID? = nil, wantsReply: Bool = false, startsRound: Bool = false,
        timestamp: Date,
        origin: UUID? = nil
    ) {
        self.identifier = identifier
        self.command = command
        self.status = status
        self.dataPackage = dataPackage
        self.errorMessage = errorMessage
        self.errorCode = errorCode
        self.answers = answers
        self.wantsReply = wantsReply
        self.startsRound = startsRound
        self.timestamp = timestamp
        self.origin = origin
        super.init()
    }

    /// The same message with another status, and with what that status brings.
    public func with(
        status: DeliveryStatus, dataPackage: Data? = nil, errorMessage: String? = nil, errorCode: Int? = nil
    ) -> MessagePackage {
        MessagePackage(
            identifier: identifier, command: command, status: status, dataPackage: dataPackage ?? self.dataPackage,
            errorMessage: errorMessage, errorCode: errorCode, answers: answers, wantsReply: wantsReply,
            startsRound: startsRound, timestamp: timestamp, origin: origin)
    }

    /// The same package, marked with the device that it came from.
    package func from(_ device: UUID) -> MessagePackage {
        MessagePackage(
            identifier: identifier, command: command, status: status, dataPackage: dataPackage,
            errorMessage: errorMessage, errorCode: errorCode, answers: answers, wantsReply: wantsReply,
            startsRound: startsRound, timestamp: timestamp, origin: device)
    }

    // MARK: - NSSecureCoding

    public static let archiveName = "MessagePackage"
    public static let supportsSecureCoding = true

    private enum Key {
        static let identifier = "identifier"
        static let command = "command"
        static let status = "status"
        static let dataPackage = "dataPackage"
        static let errorMessage = "errorMessage"
        static let errorCode = "errorCode"
        static let answers = "answers"
        static let wantsReply = "wantsReply"
        static let startsRound = "startsRound"
        static let timestamp = "timestamp"
    }

    public func encode(with coder: NSCoder) {
        coder.encode(identifier, forKey: Key.identifier)
        coder.encode(command.rawValue, forKey: Key.command)
        coder.encode(status.rawValue, forKey: Key.status)
        coder.encode(timestamp, forKey: Key.timestamp)
        coder.encode(wantsReply, forKey: Key.wantsReply)
        if startsRound { coder.encode(true, forKey: Key.startsRound) }
        if let dataPackage { coder.encode(dataPackage, forKey: Key.dataPackage) }
        if let errorMessage { coder.encode(errorMessage, forKey: Key.errorMessage) }
        if let errorCode { coder.encode(errorCode, forKey: Key.errorCode) }
        if let answers { coder.encode(answers, forKey: Key.answers) }
    }

    public init?(coder: NSCoder) {
        guard let identifier = coder.decodeUUID(forKey: Key.identifier),
            let command = coder.decodeString(forKey: Key.command).flatMap(Command.init(rawValue:)),
            let status = coder.decodeString(forKey: Key.status).flatMap(DeliveryStatus.init(rawValue:)),
            let timestamp = coder.decodeDate(forKey: Key.timestamp)
        else { return nil }
        self.identifier = identifier
        self.command = command
        self.status = status
        self.timestamp = timestamp
        wantsReply = coder.decodeBool(forKey: Key.wantsReply)
        startsRound = coder.decodeBool(forKey: Key.startsRound)
        dataPackage = coder.decodeData(forKey: Key.dataPackage)
        errorMessage = coder.decodeString(forKey: Key.errorMessage)
        errorCode = coder.containsValue(forKey: Key.errorCode) ? coder.decodeInteger(forKey: Key.errorCode) : nil
        answers = coder.decodeUUID(forKey: Key.answers)
        origin = nil
        super.init()
    }
}
