import Files
import Foundation
import LinkProtocol
import LinkTransport

/// A client of the link's socket that need not obey its protocol.
final class RawPeer {
    let device: Device
    private let stream: BlockingStream

    init(_ path: String, role: DeviceRole = .companion, identifier: UUID = UUID()) throws {
        device = Device(identifier: identifier, role: role, name: "nobody")
        stream = try BlockingStream(connectingTo: path, timeout: .seconds(30))
    }

    func write(_ bytes: [UInt8]) throws { try stream.write(Data(bytes)) }

    func send(_ package: MessagePackage) throws { try stream.write(try PackageCodec.frame(package)) }

    func hello(versions: ClosedRange<Int> = ProtocolVersion.first...ProtocolVersion.first) throws {
        try send(try Hello(device: device, versions: versions).package(identifier: UUID(), timestamp: Date()))
    }

    func send(
        _ command: Command, identifier: UUID = UUID(), data: Data? = nil, answers: UUID? = nil,
        wantsReply: Bool = false
    ) throws {
        try send(
            MessagePackage(
                identifier: identifier, command: command, status: answers == nil ? .sent : .replied,
                dataPackage: data, answers: answers, wantsReply: wantsReply, timestamp: Date()))
    }

    /// Reads and discards data until the other side closes.
    func readToEnd() throws {
        do {
            while try stream.readLine() != nil {}
        } catch let error where error.code == ECONNRESET {
            // Closed with unread bytes of ours: it counts as closed.
        }
    }
}
