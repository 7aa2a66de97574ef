import Foundation
import VirtualTime

/// What the test's own process needs of the declarations: who starts when, and what is to be waited for.
struct SimulationPlan: Sendable {
    let script: Script
    /// The names of what must hold at some time in at least one seed.
    let sometimes: [String]

    /// - Parameters:
    ///   - test: The devices are copies of the bundle that runs it.
    ///   - settings: What every device gets, and what may be done to it.
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
