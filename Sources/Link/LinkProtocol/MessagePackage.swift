public import Foundation
public import KeyedArchive

/// The unit of transmission: one message, or the answer to one, with its delivery status.
///
/// Immutable, so that it can be handed to any thread; a status change creates a new package. Archived as
/// `MessagePackage`, regardless of the module that declares the class.
public final class MessagePackage: NSObject, NSSecureCoding, ArchiveNaming, Sendable {
    /// The message's identifier, the same for every retry.
    public let identifier: UUID
    /// The command that the package carries.
    public let command: Command
    /// The delivery status at the sender of the package.
    public let status: DeliveryStatus
    /// The payload: for messages the bytes or the archived dictionary.
    public let dataPackage: Data?
    /// The error text of a failed message.
    public let errorMessage: String?
    /// The raw value of the `WCError.Code` of a failed message.
    public let errorCode: Int?
    /// The identifier of the message that this package answers.
    public let answers: UUID?
    /// True if the sender waits for a reply.
    public let wantsReply: Bool
    /// True if the sender's queue restarts with this transfer, after transfers in flight were put back.
    public let startsRound: Bool
    /// The creation time, by the sender's wall clock.
    public let timestamp: Date
    /// The device that sent the package. Set by the receiver from the connection, never read from the package itself.
    public let origin: UUID?
    /// The command's name if ``command`` is ``Command/unrecognized``.
    private let unrecognizedName: String?

    /// Creates a package with a known command.
    public convenience init(
        identifier: UUID, command: Command, status: DeliveryStatus, dataPackage: Data? = nil,
        errorMessage: String? = nil,
        errorCode: Int? = nil, answers: UUID? = nil, wantsReply: Bool = false, startsRound: Bool = false,
        timestamp: Date,
        origin: UUID? = nil
    ) {
        self.init(
            identifier, command, unrecognizedName: nil, status, dataPackage, errorMessage, errorCode, answers: answers,
            wantsReply: wantsReply, startsRound: startsRound, timestamp, origin)
    }

    private init(
        _ identifier: UUID, _ command: Command, unrecognizedName: String?, _ status: DeliveryStatus,
        _ dataPackage: Data?, _ errorMessage: String?, _ errorCode: Int?, answers: UUID?, wantsReply: Bool,
        startsRound: Bool, _ timestamp: Date, _ origin: UUID?
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
        self.unrecognizedName = unrecognizedName
        super.init()
    }

    /// Packages are equal if all their fields are, including those that are not sent.
    public override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? MessagePackage else { return false }
        return identifier == other.identifier && command == other.command && unrecognizedName == other.unrecognizedName
            && status == other.status && dataPackage == other.dataPackage && errorMessage == other.errorMessage
            && errorCode == other.errorCode && answers == other.answers && wantsReply == other.wantsReply
            && startsRound == other.startsRound && timestamp == other.timestamp && origin == other.origin
    }

    /// The hash of the identifier.
    public override var hash: Int { identifier.hashValue }

    /// The name of the command on the wire.
    package var commandName: String { unrecognizedName ?? command.rawValue }

    /// Returns a copy with another status; payload and error replace the current ones unless nil.
    public func with(
        status: DeliveryStatus, dataPackage: Data? = nil, errorMessage: String? = nil, errorCode: Int? = nil
    ) -> MessagePackage {
        MessagePackage(
            identifier, command, unrecognizedName: unrecognizedName, status, dataPackage ?? self.dataPackage,
            errorMessage, errorCode, answers: answers, wantsReply: wantsReply, startsRound: startsRound, timestamp,
            origin)
    }

    /// Returns a copy marked with its sender.
    package func from(_ device: UUID) -> MessagePackage {
        MessagePackage(
            identifier, command, unrecognizedName: unrecognizedName, status, dataPackage, errorMessage, errorCode,
            answers: answers, wantsReply: wantsReply, startsRound: startsRound, timestamp, device)
    }

    /// Returns the answer to a package with an unknown command.
    package func refusal(identifier answer: UUID, timestamp: Date) -> MessagePackage {
        MessagePackage(
            answer, command, unrecognizedName: unrecognizedName, .failed, nil,
            "unknown command “\(commandName)”", nil, answers: identifier, wantsReply: false,
            startsRound: false, timestamp, nil)
    }

    // MARK: - NSSecureCoding

    /// The class name in archives, independent of the module.
    public static let archiveName = "MessagePackage"
    /// True: archives of this class are decoded securely.
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
        coder.encode(commandName, forKey: Key.command)
        coder.encode(status.rawValue, forKey: Key.status)
        coder.encode(timestamp, forKey: Key.timestamp)
        coder.encode(wantsReply, forKey: Key.wantsReply)
        if startsRound { coder.encode(true, forKey: Key.startsRound) }
        if let dataPackage { coder.encode(dataPackage, forKey: Key.dataPackage) }
        if let errorMessage { coder.encode(PeerText.of(errorMessage), forKey: Key.errorMessage) }
        if let errorCode { coder.encode(errorCode, forKey: Key.errorCode) }
        if let answers { coder.encode(answers, forKey: Key.answers) }
    }

    public init?(coder: NSCoder) {
        guard let identifier = coder.decodeUUID(forKey: Key.identifier),
            let name = coder.decodeString(forKey: Key.command), name.utf8.count <= LinkLimits.commandBytes,
            let status = coder.decodeString(forKey: Key.status).flatMap(DeliveryStatus.init(rawValue:)),
            let timestamp = coder.decodeDate(forKey: Key.timestamp)
        else { return nil }
        self.identifier = identifier
        let known = Command(rawValue: name)
        command = known ?? .unrecognized
        unrecognizedName = known == nil ? name : nil
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
