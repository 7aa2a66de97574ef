import Foundation
import VirtualTime

/// The life of one device, in a separate process: its start, its declared actions at their times, and its checks.
struct DeviceLife {
    /// The trace line of a device that has run its final checks.
    static let endMark = "simulation: looked at the end"
    /// The prefix of a trace line that reports a condition that held.
    static let reachedMark = "simulation: reached "

    private let world: SimulatedWorld
    private let name: String

    init(_ world: SimulatedWorld, _ name: String) { (self.world, self.name) = (world, name) }

    /// Starts the device. The main thread must then run the main actor's work.
    func begin() throws {
        let declarations = world.declarations
        if let error = declarations.error { throw error }
        guard let device = declarations.devices.first(where: { $0.name == name }) else { return }
        let home = URL(fileURLWithPath: FileManager.default.currentDirectoryPath)
        world.board.begin(directory: home.deletingLastPathComponent().path)
        let now = World.now
        run("start") { try await device.start() }
        for deed in device.deeds where deed.time >= now {
            run("perform its action at \(deed.time)") {
                try await Task.sleep(for: max(.zero, deed.time - World.now))
                try await deed.action()
            }
        }
        let watch = DeviceWatch(world, device, declarations)
        watch.begin()
        run("run its final checks") {
            // Half of the time remains for devices that are late.
            try await Task.sleep(for: max(.zero, world.duration + world.afterEnd / 2 - World.now))
            watch.lookAtEnd()
        }
    }

    private func run(_ what: String, _ action: @escaping SimulatedWorld.Action) {
        Task { @MainActor in
            do {
                try await action()
            } catch {
                Self.fail("could not \(what): \(error)")
            }
        }
    }

    /// Ends the device with an error.
    static func fail(_ complaint: String) -> Never { World.fail("\(complaint), at \(World.now)") }
}
