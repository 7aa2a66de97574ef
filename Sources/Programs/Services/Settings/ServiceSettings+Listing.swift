import Configuration
import DeviceShell
import EventLog
public import Foundation
public import LinkProtocol
import LinkTransport
public import ServiceRuntime
import WatchConnectivity

extension ServiceSettings {
    /// Returns every setting with its effective value and source.
    public func listing(environment: [String: String] = ProcessInfo.processInfo.environment) -> [Setting] {
        let stateSource: Setting.Source =
            if options.has("state-directory") {
                .option(name: "state-directory")
            } else if environment[StateDirectory.environmentVariable] != nil {
                .environment(name: StateDirectory.environmentVariable)
            } else {
                .builtIn
            }
        return [Setting("state directory", .string(state.path), stateSource)]
            + SettingDefinition.of(role).map { Setting($0.key, value(of: $0.key), source(of: $0.key)) }
    }

    private func source(of key: String) -> Setting.Source {
        let option = ["log.level": "log-level", "log.format": "log-format", "log.file": "log-file"][key]
        if let option, options.has(option) { return .option(name: option) }
        guard let path = options["config"], let line = file.place(of: key) else { return .builtIn }
        return .file(path: path, line: line)
    }

    private func value(of key: String) -> JSONValue {
        switch key {
        case "device.name": .string(device.device.name)
        case "device.identifier": file.place(of: key) == nil ? .null : .string(device.device.identifier.uuidString)
        case "payloads.message": .integer(Int64(device.payloads.message))
        case "payloads.userInfo": .integer(Int64(device.payloads.userInfo))
        case "payloads.context": .integer(Int64(device.payloads.context))
        case "ledger.capacity": .integer(Int64(device.ledgerCapacity))
        case "record.into": device.recording.map { .string($0.folder) } ?? .null
        case "record.keep": device.recording.map { .array($0.keptPaths.map { .string($0) }) } ?? .null
        case "record.build": device.recording?.build.map { .string($0) } ?? .null
        case "companions.serving": .string(device.companions.serving.rawValue)
        case "companions.pairing": .string(device.companions.pairing.rawValue)
        case "outbox.firstRetry": .number(outboxBackoff.initial.inSeconds)
        case "outbox.longestRetry": .number(outboxBackoff.maximum.inSeconds)
        case "database.file": database.url == nil ? .string(database.file) : .null
        case "database.url": database.url.map(JSONValue.string) ?? .null
        case "database.passfile": database.passfile.map(JSONValue.string) ?? .null
        case "database.keepDays": .integer(Int64(retention.days))
        case "database.keepCount": .integer(Int64(retention.count))
        case "control.socket": .string(controlSocket)
        case "metrics.file": .string(metricsFile ?? LogSettings.none)
        case "metrics.interval": .number(metricsInterval.inSeconds)
        case "usage.events": .boolean(countsUsage)
        default: key.hasPrefix("log.") ? logValue(of: key) : linkValue(of: key)
        }
    }

    private func logValue(of key: String) -> JSONValue {
        switch key {
        case "log.level": .string(log.level.description)
        case "log.levels":
            .object(
                Dictionary(
                    log.levels.map { ($0.key.name, .string($0.value.description)) }, uniquingKeysWith: { a, _ in a }
                ))
        case "log.format": .string(log.format?.rawValue ?? "auto")
        case "log.file": .string(log.file ?? LogSettings.none)
        case "log.fileFormat": .string(log.fileFormat.rawValue)
        case "log.maximumBytes": .integer(Int64(log.maximumBytes))
        case "log.keptFiles": .integer(Int64(log.keptFiles))
        default: .null
        }
    }

    private func linkValue(of key: String) -> JSONValue {
        switch key {
        case "link.socket": .string(device.socketPath)
        case "link.allowedUsers":
            switch device.access {
            case .owner, .group: .null
            case .users(let users): .array(users.sorted().map { .integer(Int64($0)) })
            }
        case "link.helloTimeout": .number(device.times.hello.inSeconds)
        case "link.heartbeat": .number(device.times.heartbeat.inSeconds)
        case "link.silenceTimeout": .number(device.times.silence.inSeconds)
        case "link.replyTimeout": .number(device.times.reply.inSeconds)
        case "link.acknowledgementTimeout": .number(device.times.acknowledgement.inSeconds)
        case "link.condition": .string(device.condition.description)
        case "link.seed": .integer(Int64(clamping: device.faultSeed))
        case "link.faults": .array(device.faultTexts.map { .string($0) })
        // Readers of the settings need not know the code.
        case "link.pairingCode": device.pairingCode == nil ? .null : "(set)"
        case "link.firstReconnect": .number(device.reconnect.initial.inSeconds)
        case "link.longestReconnect": .number(device.reconnect.maximum.inSeconds)
        default: .null
        }
    }
}

extension ServiceSettings {
    /// Returns the default values as JSON, by key, except those that depend on the machine.
    public static func defaults(of role: DeviceRole) -> [String: String] {
        let options = ParsedOptions(values: ["state-directory": "/"], operands: [])
        // No file is read, so this cannot fail.
        guard let settings = try? ServiceSettings(role: role, options: options, isDry: true) else { return [:] }
        let values = settings.listing(environment: [:]).filter { $0.value != .null && $0.key != "state directory" }
        return Dictionary(
            values.compactMap { setting in
                guard let text = try? setting.value.text() else { return nil }
                // Paths are relative to the state directory, as in the sample files.
                return (
                    setting.key,
                    text.replacingOccurrences(of: "\"//", with: "\"").replacingOccurrences(of: "\"/", with: "\"")
                )
            }, uniquingKeysWith: { first, _ in first })
    }
}
