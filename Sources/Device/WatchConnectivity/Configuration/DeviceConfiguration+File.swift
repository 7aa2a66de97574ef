package import Configuration
import DeviceShell
import Foundation
package import LinkProtocol
import LinkTransport

extension DeviceConfiguration {
    /// Bounds of the periods that a configuration may set: a hundredth of a second to a day.
    package static let periods: ClosedRange<Double> = 0.01...86_400

    /// The device that a JSON5 file describes: `device.role`, and what `Config/host.json5` and `Config/companion.json5` show.
    /// Relative paths lie in the file's `device.state`, which itself is relative to the file.
    ///
    /// - Throws: What is wrong with it, with file, line and key.
    public init(file path: String) throws {
        let file = try ConfigurationFile(path: path)
        let section = try file.section("device")
        let roles = DeviceRole.allCases.map { ($0.rawValue, $0) }
        guard let role = try section.choice("role", among: roles) else {
            throw section.wrong("role", "is missing: say “host” or “companion”")
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
        // What a service's file has beside its device.
        file.ignore("database", "control", "outbox", "log", "metrics", "usage")
        try file.refuseUnknownKeys()
    }

    /// The device that the sections of a service's file describe.
    ///
    /// - Parameters:
    ///   - path: Makes a path of the file absolute.
    ///   - identityFile: Where the identifier is kept if the file gives none; nil for one that nobody keeps.
    ///   - serving: How many watches a host serves if the file does not say.
    package init(
        role: DeviceRole, device section: ConfigurationFile, file: ConfigurationFile, defaultSocket: String,
        directory: String, path: (String) -> String, identityFile: String?, serving: CompanionPolicy.Serving = .active
    ) throws {
        // One file may serve as a service's and as a device's.
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
        companions.serving = serving
        if role == .host { try read(companions: try file.section("companions")) }
        ledgerCapacity = try file.section("ledger").count("capacity", within: 0...10_000_000) ?? ledgerCapacity
    }

    private mutating func read(link: ConfigurationFile) throws {
        times.hello = try link.seconds("helloTimeout", within: Self.periods) ?? times.hello
        times.heartbeat = try link.seconds("heartbeat", within: Self.periods) ?? times.heartbeat
        times.silence = try link.seconds("silenceTimeout", within: Self.periods) ?? times.silence
        // A peer that is silent between two heartbeats would count as dead.
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
