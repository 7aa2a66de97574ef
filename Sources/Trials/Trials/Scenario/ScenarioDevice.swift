import Configuration
import DeviceShell
import Homes
package import LinkProtocol
import Processes
import ServiceRuntime

/// A device of a scenario: the arguments and environment of its program, and the location of its files.
package struct ScenarioDevice: Sendable {
    package enum Kind: Sendable {
        /// The real host or companion.
        case service
        /// A program that imports WatchConnectivity.
        case program
    }

    package let kind: Kind
    private let place: ProgramPlace

    /// “phone”, “watch”, “watch2” …
    package var name: String { place.name }
    package var role: DeviceRole { place.role }

    /// Returns the devices of a scenario, the phone first.
    package static func all(_ scenario: Scenario, _ kind: Kind, in directory: String) -> [ScenarioDevice] {
        scenario.devices.enumerated().map { index, name in
            ScenarioDevice(kind: kind, place: ProgramPlace(name, index == 0 ? .host : .companion, in: directory))
        }
    }

    /// The working directory, and the base of the file paths in an expectation.
    var home: String { place.home.path }
    var configurationFile: String { "\(place.directory)/\(name).json5" }
    private var state: String { place.state.path }

    var controlSocket: String {
        switch kind {
        case .service: StateDirectory(option: state).controlSocket(of: role.rawValue)
        case .program: place.state.controlSocket
        }
    }

    /// Creates the home of its program.
    func createHome() throws { try place.home.create() }

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
            place.variables.merging([
                "WATCHLINK_CONFIGURATION": configurationFile, "WATCHLINK_LOG_LEVEL": "debug",
            ]) { $1 }
        }
    }

    /// Returns the content of its configuration file.
    func configuration(of scenario: Scenario, seed: UInt64) -> JSONValue {
        var link: [String: JSONValue] = [
            "socket": .string(place.linkSocket), "seed": .integer(Int64(truncatingIfNeeded: seed & UInt64(Int64.max))),
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
