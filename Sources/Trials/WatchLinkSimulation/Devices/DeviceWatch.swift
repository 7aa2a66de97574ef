import Foundation
import VirtualTime

/// Looks at a device whenever it has nothing left to do at an instant.
@MainActor
final class DeviceWatch {
    private let world: SimulatedWorld
    private let device: DeviceDeclaration
    private let always: [SimulatedWorld.Check]
    private let atEnd: [SimulatedWorld.Check]
    private var sometimes: [(name: String, condition: SimulatedWorld.Condition)]
    /// False if there is nothing to look at before the end.
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
        // A thread that waits until all others do.
        Thread.detachNewThread { [self] in
            while true {
                World.waitUntilIdle()
                DispatchQueue.main.sync { MainActor.assumeIsolated { look() } }
            }
        }
    }

    private func look() {
        perform("read what checks use") {
            if !device.readings.isEmpty {
                try world.board.publish(device.readings.map { try $0.read() }, of: device.name)
            }
        }
        for check in always { perform("look at what must always hold", check) }
        perform("look at what must sometimes hold") {
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
        for check in atEnd { perform("look at what must hold in the end", check) }
        World.trace(DeviceLife.endMark)
    }

    private func perform(_ what: String, _ check: () throws -> Void) {
        do {
            try check()
        } catch {
            DeviceLife.fail("it could not \(what): \(error)")
        }
    }
}
