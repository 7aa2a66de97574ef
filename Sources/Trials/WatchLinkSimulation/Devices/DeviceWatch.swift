import Foundation
import VirtualTime

/// Runs a device's checks whenever it has no work left at an instant.
@MainActor
final class DeviceWatch {
    private let world: SimulatedWorld
    private let device: DeviceDeclaration
    private let always: [SimulatedWorld.Check]
    private let atEnd: [SimulatedWorld.Check]
    private var sometimes: [(name: String, condition: SimulatedWorld.Condition)]
    /// False if there is nothing to check before the end.
    private nonisolated let hasToLook: Bool

    nonisolated init(
        _ world: SimulatedWorld, _ device: DeviceDeclaration, _ declarations: SimulatedWorld.Declarations
    ) {
        (self.world, self.device) = (world, device)
        always = declarations.always + device.always
        atEnd = declarations.atEnd + device.atEnd
        let sometimes = declarations.sometimes + device.sometimes
        hasToLook = !always.isEmpty || !sometimes.isEmpty || !device.readings.isEmpty
        self.sometimes = sometimes
    }

    nonisolated func begin() {
        guard hasToLook else { return }
        // This thread waits until all others are idle.
        Thread.detachNewThread { [self] in
            while true {
                World.waitUntilIdle()
                DispatchQueue.main.sync { MainActor.assumeIsolated { look() } }
            }
        }
    }

    private func look() {
        perform("take its readings") {
            if !device.readings.isEmpty {
                try world.board.publish(device.readings.map { try $0.read() }, of: device.name)
            }
        }
        for check in always { perform("run its checks", check) }
        perform("evaluate its conditions") {
            var left: [(name: String, condition: SimulatedWorld.Condition)] = []
            for (name, condition) in sometimes {
                if try condition() {
                    World.trace(DeviceLife.reachedMark + name)
                } else {
                    left.append((name, condition))
                }
            }
            sometimes = left
        }
    }

    func lookAtEnd() {
        look()
        for check in atEnd { perform("run its final checks", check) }
        World.trace(DeviceLife.endMark)
    }

    private func perform(_ what: String, _ check: () throws -> Void) {
        do {
            try check()
        } catch {
            DeviceLife.fail("could not \(what): \(error)")
        }
    }
}
