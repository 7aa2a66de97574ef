import Foundation
import VirtualTime

/// The life of one device, in its own process: it starts, does what is declared at each time, and looks at what must hold.
struct DeviceLife {
    /// The line in the trace of a device that has looked at what must hold in the end.
    static let endMark = "simulation: looked at the end"
    /// The beginning of a line in the trace that says that something held.
    static let reachedMark = "simulation: reached "

    private let world: SimulatedWorld
    private let name: String

    init(_ world: SimulatedWorld, _ name: String) { (self.world, self.name) = (world, name) }

    /// Begins it. The main thread must then run what is given to the main actor.
    func begin() throws {
        let declarations = world.declarations
        if let error = declarations.error { throw error }
        guard let device = declarations.devices.first(where: { $0.name == name }) else { return }
        let home = URL(fileURLWithPath: FileManager.default.currentDirectoryPath)
        world.board.begin(directory: home.deletingLastPathComponent().path)
        let now = World.now
        run("start") { try await device.start() }
        for deed in device.deeds where deed.time >= now {
            run("do what it does at \(deed.time)") {
                try await Task.sleep(for: max(.zero, deed.time - World.now))
                try await deed.action()
            }
        }
        let watch = DeviceWatch(world, device, declarations)
        watch.begin()
        run("look at the end") {
            // Half of the time is left for those who are late.
            try await Task.sleep(for: max(.zero, world.duration + world.afterEnd / 2 - World.now))
            watch.lookAtEnd()
        }
    }

    private func run(_ what: String, _ action: @escaping SimulatedWorld.Action) {
        Task { @MainActor in
            do {
                try await action()
            } catch {
                Self.fail("it could not \(what): \(error)")
            }
        }
    }

    /// Ends the device with a complaint.
    static func fail(_ complaint: String) -> Never { World.fail("\(complaint), at \(World.now)") }
}
