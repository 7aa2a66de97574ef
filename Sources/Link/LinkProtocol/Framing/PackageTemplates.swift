package import Foundation
import KeyedArchive

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

    private struct Shape: Hashable, Sendable {
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

        /// By what mostly differs: commands and statuses would be hashed by their names.
        func hash(into hasher: inout Hasher) {
            hasher.combine(payloadBytes)
            hasher.combine(answers)
        }
    }

    private var templates: [Shape: PackageTemplate] = [:]
    private var templatesByLength: [Int: [PackageTemplate]] = [:]
    /// Most packages have the shape of the one before.
    private var latest: (shape: Shape, template: PackageTemplate)?
    private var sightings = Sightings<Shape>()

    package init() {}

    /// Shows a package's whole frame, length and archive, during the call.
    package func withFrame<Result>(
        _ package: MessagePackage, _ use: (UnsafeRawBufferPointer) -> Result
    ) throws(ProtocolError) -> Result {
        guard package.errorMessage == nil, package.errorCode == nil, package.command != .unrecognized else {
            return try archive(package, use)
        }
        let shape = Shape(package)
        guard let template = template(shape) else {
            see(shape, package)
            return try archive(package, use)
        }
        return template.withFrame(package, use)
    }

    private func archive<Result>(
        _ package: MessagePackage, _ use: (UnsafeRawBufferPointer) -> Result
    ) throws(ProtocolError) -> Result {
        try PackageCodec.frame(package).withUnsafeBytes(use)
    }

    /// The package in a frame's body.
    ///
    /// - Parameter origin: The device it came from, if that is known.
    package func package(_ body: UnsafeRawBufferPointer, from origin: UUID?) throws(ProtocolError) -> MessagePackage {
        for template in templatesByLength[body.count] ?? [] {
            if let package = template.package(body, from: origin) { return package }
        }
        let package = try PackageCodec.package(body)
        if package.errorMessage == nil, package.errorCode == nil, package.command != .unrecognized {
            see(Shape(package), package)
        }
        return origin.map(package.from) ?? package
    }

    private func template(_ shape: Shape) -> PackageTemplate? {
        if let latest, latest.shape == shape { return latest.template }
        guard let template = templates[shape] else { return nil }
        latest = (shape, template)
        return template
    }

    /// Counts a shape that has no specimen, and makes one when it is worth it.
    private func see(_ shape: Shape, _ package: MessagePackage) {
        guard sightings.add(shape), let template = PackageTemplate(of: package, maximumBytes: Self.maximumBytes)
        else { return }
        if templates.count >= Self.maximumTemplates {
            templates.removeAll()
            templatesByLength.removeAll()
            latest = nil
            sightings.removeAll()
        }
        templates[shape] = template
        templatesByLength[template.bodyBytes, default: []].append(template)
    }
}
