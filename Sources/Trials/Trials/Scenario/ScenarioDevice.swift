import Configuration
package import LinkProtocol
import ServiceRuntime

/// A device of a scenario: the arguments and environment of its program, and the location of its files.
package struct ScenarioDevice: Sendable {
    package enum Kind: Sendable {
        /// The real host or companion.
        case service
        /// A program that imports WatchConnectivity.
        case program
    }

    /// “phone”, “watch”, “watch2” …
    package let name: String
    package let role: DeviceRole
    package let kind: Kind
    /// The directory of all devices.
    private let directory: String

    /// Returns the devices of a scenario, the phone first.
    package static func all(_ scenario: Scenario, _ kind: Kind, in directory: String) -> [ScenarioDevice] {
        scenario.devices.enumerated().map { index, name in
            ScenarioDevice(name: name, role: index == 0 ? .host : .companion, kind: kind, directory: directory)
        }
    }

    /// The working directory, and the base of the file paths in an expectation.
    var home: String { "\(directory)/\(name)" }
    var configurationFile: String { "\(directory)/\(name).json5" }
    private var state: String { "\(home)/state" }
    private var linkSocket: String { "\(directory)/link" }

    var controlSocket: String {
        switch kind {
        case .service: StateDirectory(option: state).controlSocket(of: role.rawValue)
        case .program: "\(state)/control.sock"
        }
    }

    /// Returns the arguments of its program.
    ///
    /// - Parameter words: The program's own arguments.
    package func arguments(_ words: [String] = []) -> [String] {
        switch kind {
        case .service: ["--state-directory", state, "--config", configurationFile, "--log-level", "info"]
        case .program: words
        }
    }

    /// The environment variables that make its program this device.
    package var environment: [String: String] {
        switch kind {
        case .service: [:]
        case .program:
            [
                "WATCHLINK_ROLE": role.rawValue, "WATCHLINK_SOCKET": linkSocket, "WATCHLINK_DEVICE_STATE": state,
                "WATCHLINK_CONFIGURATION": configurationFile, "WATCHLINK_LOG_LEVEL": "debug",
            ]
        }
    }

    /// Returns the content of its configuration file.
    func configuration(of scenario: Scenario, seed: UInt64) -> JSONValue {
        var link: [String: JSONValue] = [
            "socket": .string(linkSocket), "seed": .integer(Int64(truncatingIfNeeded: seed & UInt64(Int64.max))),
        ]
        var entries: [String: JSONValue] = [:]
        switch kind {
        case .service:
            if role == .companion {
                // A scenario of services takes only seconds.
                (link["firstReconnect"], link["longestReconnect"]) = (.number(0.02), .number(0.5))
            }
        case .program: entries["device"] = ["role": .string(role.rawValue), "state": .string(state)]
        }
        entries["link"] = .object(link)
        if role == .host, let serving = scenario.serving(of: kind) {
            entries["companions"] = ["serving": .string(serving.rawValue)]
        }
        return .object(entries)
    }
}
