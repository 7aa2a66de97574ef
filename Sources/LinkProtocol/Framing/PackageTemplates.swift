package import Foundation

/// Packages as frames, and back, by way of frames of the same shape: what ``PackageCodec`` does, many times as fast.
///
/// Messages of one kind and size differ in four places alone: identifier, time, what they answer, payload. Of a shape that comes
/// often a specimen is archived once; a frame is then the specimen with these places filled in, and a body that equals the
/// specimen everywhere else is read from them. Everything else goes through the archiver, and so does every check: a
/// specimen is trusted only after the unarchiver has read a filled one.
package final class PackageTemplates {
    /// Shapes that are kept. 32: an application sends a few kinds of messages, each mostly of one size.
    private static let maximumTemplates = 32
    /// Longest frame that is kept, with the former half a megabyte at most. 16 KiB: beyond, the bytes themselves take the time.
    private static let maximumBytes = 16 * 1024
    /// How often a shape has to come before it is worth a specimen, which costs as much as ten messages.
    private static let worthwhile = 8
    /// Shapes that are counted at a time.
    private static let maximumSightings = 1_024

    private struct Shape: Hashable {
        let command: Command
        let status: DeliveryStatus
        let wantsReply: Bool
        let startsRound: Bool
        let answers: Bool
        let payloadBytes: Int?

        init(_ package: MessagePackage) {
            command = package.command
            status = package.status
            wantsReply = package.wantsReply
            startsRound = package.startsRound
            answers = package.answers != nil
            payloadBytes = package.dataPackage?.count
        }
    }

    private var templates: [Shape: PackageTemplate] = [:]
    private var shapesByLength: [Int: [Shape]] = [:]
    private var sightings: [Shape: Int] = [:]

    package init() {}

    /// A whole frame: length and archive.
    package func frame(_ package: MessagePackage) throws(ProtocolError) -> Data {
        guard package.errorMessage == nil, package.errorCode == nil else { return try PackageCodec.frame(package) }
        let shape = Shape(package)
        guard let template = templates[shape] else {
            see(shape, package)
            return try PackageCodec.frame(package)
        }
        return template.frame(package)
    }

    /// The package in a frame's body.
    ///
    /// - Parameter origin: The device it came from, if that is known.
    package func package(_ body: ArraySlice<UInt8>, from origin: UUID?) throws(ProtocolError) -> MessagePackage {
        for shape in shapesByLength[body.count] ?? [] {
            if let package = templates[shape]?.package(body, from: origin) { return package }
        }
        let package = try PackageCodec.package(body)
        if package.errorMessage == nil, package.errorCode == nil { see(Shape(package), package) }
        return origin.map(package.from) ?? package
    }

    /// Counts a shape that has no specimen, and makes one when it is worth it.
    private func see(_ shape: Shape, _ package: MessagePackage) {
        if sightings.count >= Self.maximumSightings { sightings.removeAll(keepingCapacity: true) }
        let count = sightings[shape, default: 0] + 1
        sightings[shape] = count
        guard count == Self.worthwhile, let template = PackageTemplate(of: package, maximumBytes: Self.maximumBytes)
        else {
            return
        }
        if templates.count >= Self.maximumTemplates {
            templates.removeAll()
            shapesByLength.removeAll()
            // Those that still come earn theirs again.
            sightings.removeAll(keepingCapacity: true)
        }
        templates[shape] = template
        shapesByLength[template.bodyBytes, default: []].append(shape)
    }
}
