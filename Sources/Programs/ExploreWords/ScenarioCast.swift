import Foundation
import LinkProtocol
package import ServiceRuntime
package import Trials

/// The programs that play a scenario's devices.
package enum ScenarioCast: Sendable {
    case services
    case programs([SceneDevice])

    /// - Throws: If the words do not say a program for each device, and a build for each upgrade.
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
                    "the scenario upgrades the \(device.name) \(steps) times, and --upgrade \(device.name)=PROGRAM is given \(builds) times"
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

    /// A device's program with its words, and those that take that one's place.
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
