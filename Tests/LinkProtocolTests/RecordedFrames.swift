import Foundation
import Testing

@testable import LinkProtocol

/// One side's bytes of a conversation that programs of an earlier version had.
struct RecordedFrames {
    let packages: [(package: MessagePackage, body: Data)]

    /// The folder of all tests.
    static let tests = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()

    /// Reads a file of frames.
    ///
    /// - Parameters:
    ///   - path: The file, relative to the folder of all tests.
    ///   - version: The version of the protocol after the hellos.
    init(_ path: String, version: Int) throws {
        let stream = [UInt8](try Data(contentsOf: Self.tests.appending(path: path)))
        var receiver = FrameReceiver(PieceBudget())
        var packages: [(MessagePackage, Data)] = []
        try stream.withUnsafeBytes { bytes in
            receiver.begin(bytes)
            while let item = try receiver.next({ body throws(ProtocolError) in
                (try PackageCodec.package(body), Data(body))
            }) {
                guard case .package(let package, _) = item else { continue }
                packages.append(package)
                if packages.count == 1 { receiver.greeted(version: version) }
            }
            receiver.end()
        }
        #expect(!receiver.isInsidePackage, "\(path) ends within a frame")
        self.packages = packages
    }

    /// Expects that every frame has a known command, and still has the same bytes when written.
    func expectSameBytes() throws {
        for (package, body) in packages {
            #expect(package.command != .unrecognized, "\(package.commandName)")
            let frame = try PackageCodec.frame(package).dropFirst(FrameHeader.bytes)
            #expect(frame == body, "\(package.commandName) was \(body.count) bytes, and is \(frame.count)")
        }
    }
}
