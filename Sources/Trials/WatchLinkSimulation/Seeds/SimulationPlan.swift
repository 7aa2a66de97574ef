import Foundation
import VirtualTime

/// The declarations that the test's own process needs: the starts and kills of devices, and the awaited conditions.
struct SimulationPlan: Sendable {
    let script: Script
    /// The names of the conditions that must hold at some time in at least one seed.
    let sometimes: [String]

    /// - Parameters:
    ///   - test: The test; its devices are copies of the bundle that runs it.
    ///   - settings: The environment and the hazards of every device.
    init(_ world: SimulatedWorld, _ test: TestIdentity, _ settings: SimulationSettings) throws(SimulationError) {
        let declarations = world.declarations
        if let error = declarations.error { throw error }
        guard !declarations.devices.isEmpty else { throw .noDevices }
        var lines: [Script.Line] = []
        for device in declarations.devices {
            let program = TestBundle.program(
                device.name, test, settings.variables.merging(device.environment) { _, own in own })
            for (time, isOn) in device.powers {
                lines.append(.init(at: time, isOn ? .start(program) : .kill(device.name)))
            }
        }
        do {
            script = try Script(
                lines, end: world.duration + world.afterEnd,
                hazards: declarations.devices.map { settings.hazard($0.name) })
        } catch {
            throw .script(error)
        }
        sometimes = (declarations.sometimes + declarations.devices.flatMap(\.sometimes)).map(\.name)
    }
}
