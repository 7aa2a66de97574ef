package import Foundation
import KeyedArchive

/// Converts packages to frames and back using templates: equivalent to ``PackageCodec``, many times as fast.
///
/// Messages of one kind and size differ only in identifier, time, answered message and payload. For a frequent shape, a
/// specimen is archived once; a frame is the specimen with these fields filled in, and a body that equals the specimen
/// everywhere else is decoded from them. Everything else uses the archiver, and so does every check: a specimen is used
/// only after the unarchiver has decoded a filled one.
package final class PackageTemplates {
    /// The most shapes kept. 32: an application sends a few kinds of messages, each usually of one size.
    private static let maximumTemplates = 32
    /// The longest frame of a template; with 32 shapes half a megabyte at most. 16 KiB: beyond it copying dominates.
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

        /// Hashes the fields that usually differ; commands and statuses would be hashed by their names.
        func hash(into hasher: inout Hasher) {
            hasher.combine(payloadBytes)
            hasher.combine(answers)
        }
    }

    private var templates: [Shape: PackageTemplate] = [:]
    private var templatesByLength: [Int: [PackageTemplate]] = [:]
    /// The last template used: most packages have the shape of their predecessor.
    private var latest: (shape: Shape, template: PackageTemplate)?
    private var occurrences = OccurrenceCounter<Shape>()

    package init() {}

    /// Passes the complete frame of a package, length and archive; valid only during the call.
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

    /// Decodes the package in a frame's body.
    ///
    /// - Parameter origin: The sending device, if known.
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

    /// Counts a shape without a template, and creates one when it is frequent enough.
    private func see(_ shape: Shape, _ package: MessagePackage) {
        guard occurrences.add(shape), let template = PackageTemplate(of: package, maximumBytes: Self.maximumBytes)
        else { return }
        if templates.count >= Self.maximumTemplates {
            templates.removeAll()
            templatesByLength.removeAll()
            latest = nil
            occurrences.removeAll()
        }
        templates[shape] = template
        templatesByLength[template.bodyBytes, default: []].append(template)
    }
}
