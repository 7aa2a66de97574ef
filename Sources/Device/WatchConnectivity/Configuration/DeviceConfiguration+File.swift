package import Configuration
import DeviceShell
import Foundation
package import LinkProtocol
import LinkTransport

extension DeviceConfiguration {
    /// The range of the periods in a configuration, in seconds: 10 ms to one day.
    package static let periods: ClosedRange<Double> = 0.01...86_400

    /// Creates the device that a JSON5 file describes: `device.role`, and the keys shown in `Config/host.json5` and
    /// `Config/companion.json5`. Relative paths are resolved against the file's `device.state`, which itself is
    /// relative to the file.
    ///
    /// - Throws: An error with the file, the line and the key of the mistake.
    public init(file path: String) throws {
        let file = try ConfigurationFile(path: path)
        let section = try file.section("device")
        let roles = DeviceRole.allCases.map { ($0.rawValue, $0) }
        guard let role = try section.choice("role", among: roles) else {
            throw section.wrong("role", "is missing; use “host” or “companion”")
        }
        let folder = URL(filePath: path).deletingLastPathComponent()
        let state = try section.filePath("state") ?? role.rawValue
        let directory = URL(filePath: state, relativeTo: folder).standardizedFileURL.path(percentEncoded: false)
        try PrivateDirectory.create(directory)
        try self.init(
            role: role, device: section, file: file,
            defaultSocket: folder.appending(path: "link.sock").path(percentEncoded: false),
            directory: directory,
            path: { $0.hasPrefix("/") ? $0 : folder.appending(path: $0).path(percentEncoded: false) },
            identityFile: directory + "/device")
        controlSocketPath = DeviceDirectory(directory).controlSocket
        // Sections for services only.
        file.ignore("database", "control", "outbox", "log", "metrics", "usage")
        try file.refuseUnknownKeys()
    }

    /// Creates the device that the sections of a service's file describe.
    ///
    /// - Parameters:
    ///   - path: Makes a path in the file absolute.
    ///   - identityFile: The file that stores the identifier if the configuration has none; nil for a temporary
    ///     identifier.
    ///   - serving: The watches that a host serves if the configuration does not specify it.
    package init(
        role: DeviceRole, device section: ConfigurationFile, file: ConfigurationFile, defaultSocket: String,
        directory: String, path: (String) -> String, identityFile: String?, serving: CompanionPolicy.Serving = .active
    ) throws {
        // The same file may configure a service and a device.
        _ = try section.choice("role", among: [(role.rawValue, role)])
        let identifier =
            try section.uuid("identifier") ?? identityFile.map { try DeviceIdentity.identifier(at: $0) } ?? UUID()
        let name = try section.string("name") ?? (role == .host ? "Phone" : "Watch")
        guard name.utf8.count <= LinkLimits.deviceNameBytes else {
            throw section.wrong("name", "is longer than \(LinkLimits.deviceNameBytes) bytes")
        }
        let link = try file.section("link")
        self.init(
            device: Device(identifier: identifier, role: role, name: name),
            socketPath: try link.filePath("socket").map(path) ?? defaultSocket, stateDirectory: directory)
        try read(link: link)
        try read(payloads: try file.section("payloads"))
        try read(record: try file.section("record"), path)
        companions.serving = serving
        if role == .host { try read(companions: try file.section("companions")) }
        ledgerCapacity = try file.section("ledger").count("capacity", within: 0...10_000_000) ?? ledgerCapacity
    }

    private mutating func read(link: ConfigurationFile) throws {
        times.hello = try link.seconds("helloTimeout", within: Self.periods) ?? times.hello
        times.heartbeat = try link.seconds("heartbeat", within: Self.periods) ?? times.heartbeat
        times.silence = try link.seconds("silenceTimeout", within: Self.periods) ?? times.silence
        // Otherwise a peer would count as dead between two heartbeats.
        try link.require("heartbeat", times.heartbeat, below: "silenceTimeout", times.silence)
        times.reply = try link.seconds("replyTimeout", within: Self.periods) ?? times.reply
        times.acknowledgement =
            try link.seconds("acknowledgementTimeout", within: Self.periods) ?? times.acknowledgement
        if let value = link.value("condition") {
            do {
                condition = try LinkCondition(configured: value)
            } catch {
                throw link.wrong("condition", "\(error)")
            }
        }
        faultSeed = UInt64(try link.count("seed", within: 0...Int.max) ?? Int(faultSeed))
        for text in try link.texts("faults") ?? [] {
            do {
                try addFault(text)
            } catch {
                throw link.wrong("faults", "\(error)")
            }
        }
        switch device.role {
        case .host: access = try link.users("allowedUsers").map { .users($0) } ?? .owner
        case .companion:
            pairingCode = try link.string("pairingCode")
            reconnect.initial = try link.seconds("firstReconnect", within: Self.periods) ?? reconnect.initial
            reconnect.maximum = try link.seconds("longestReconnect", within: Self.periods) ?? reconnect.maximum
            try link.require("firstReconnect", reconnect.initial, atMost: "longestReconnect", reconnect.maximum)
        }
    }

    private mutating func read(record section: ConfigurationFile, _ path: (String) -> String) throws {
        let (folder, build) = (try section.filePath("into"), try section.string("build"))
        let kept = try section.texts("keep")
        guard let folder else {
            guard build == nil, kept == nil else {
                throw section.wrong("into", "is missing: the directory of cassettes")
            }
            return
        }
        recording = RecordingOrder(into: path(folder), keeping: kept ?? [], build: build)
    }

    private mutating func read(payloads section: ConfigurationFile) throws {
        let range = 1...PayloadLimits.maximum
        payloads.message = try section.count("message", within: range) ?? payloads.message
        payloads.userInfo = try section.count("userInfo", within: range) ?? payloads.userInfo
        payloads.context = try section.count("context", within: range) ?? payloads.context
    }

    private mutating func read(companions section: ConfigurationFile) throws {
        let servings = CompanionPolicy.Serving.allCases.map { ($0.rawValue, $0) }
        let pairings = CompanionPolicy.Pairing.allCases.map { ($0.rawValue, $0) }
        companions.serving = try section.choice("serving", among: servings) ?? companions.serving
        companions.pairing = try section.choice("pairing", among: pairings) ?? companions.pairing
    }
}
