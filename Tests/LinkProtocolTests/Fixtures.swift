import Foundation
import LinkProtocol

func at(_ seconds: Double) -> MonotonicTime { MonotonicTime(nanoseconds: Int64(seconds * 1_000_000_000)) }

func device(_ role: DeviceRole) -> Device { Device(identifier: UUID(), role: role, name: "a \(role.rawValue)") }

func message(_ command: Command = .sendMessageData, _ data: Data? = Data([1])) -> MessagePackage {
    MessagePackage(
        identifier: UUID(), command: command, status: .sent, dataPackage: data, wantsReply: true,
        timestamp: Date(timeIntervalSince1970: 1_000_000))
}

func hello(_ role: DeviceRole, versions: ClosedRange<Int> = ProtocolVersion.spoken) throws -> MessagePackage {
    try Hello(device: device(role), versions: versions).package(identifier: UUID(), timestamp: Date())
}
