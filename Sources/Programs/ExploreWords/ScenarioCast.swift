import Foundation
import LinkProtocol
package import ServiceRuntime
package import Trials

/// The programs that act as a scenario's devices.
package enum ScenarioCast: Sendable {
    case services
    case programs([SceneDevice])

    /// Reads the programs from the command line; without any, the services are used.
    ///
    /// - Throws: A ``UsageError`` unless each device has a program and each upgrade has a build.
    package init(_ options: ParsedOptions, of scenario: Scenario) throws {
        let names = ["phone", "watch", "upgrade"].filter(options.has)
        guard !names.isEmpty else {
            self = .services
            return
        }
        let devices = try SceneDevice.all(options, watches: scenario.watches)
        for device in devices {
            let (steps, builds) = (scenario.upgrades(of: device.name), device.upgrades.count)
            guard steps == builds else {
                throw UsageError(
                    "the scenario upgrades the \(device.name) \(steps) times, but --upgrade \(device.name)=PROGRAM is given \(builds) times"
                )
            }
        }
        self = .programs(devices)
    }

    package var kind: ScenarioDevice.Kind {
        switch self {
        case .services: .service
        case .programs: .program
        }
    }

    /// Returns a device's program with its arguments, followed by the builds that replace it.
    package func builds(of device: ScenarioDevice) -> [[String]] {
        switch self {
        case .services:
            return [
                [
                    TrialServices.ownPrograms.appending(path: "watchlink-\(device.role.rawValue)")
                        .path(percentEncoded: false)
                ]
            ]
        case .programs(let devices):
            guard let device = devices.first(where: { $0.name == device.name }) else { return [] }
            return ([device.build] + device.upgrades.map(\.build)).map { [$0.program] + $0.arguments }
        }
    }
}
