import Foundation
import Testing
import WatchLinkSimulation

/// A suite that is isolated to the main actor, as suites of apps are: Swift Testing uses that actor also to list the
/// suite, in each template of this bundle.
@Suite("A suite of the main actor")
@MainActor
struct MainActorSuiteTests {
    private let names = ["phone", "watch"]

    @Test("A test's body, its devices and their readings are on the main actor", .simulated(seeds: 1...3))
    func body() throws {
        MainActor.preconditionIsolated()
        let world = try SimulatedWorld.current
        let phone = world.phone { PhoneApp.shared.start(isCareless: false) }
        let watch = world.watch(from: .seconds(1)) {
            MainActor.preconditionIsolated()
            WatchApp.shared.start()
        }
        watch.at(.seconds(600)) { WatchApp.shared.finish(3) }
        let total = phone.reading { PhoneApp.shared.total }
        world.atEnd { #expect(total.value == 3) }
        #expect(names == ["phone", "watch"])
    }

    @Test("A body that waits is not finished before it has gone on", .simulated(seeds: 1...2))
    func waiting() async throws {
        let world = try SimulatedWorld.current
        let device = world.device("phone") { Diary.shared.begin() }
        await Task { @MainActor in MainActor.preconditionIsolated() }.value
        device.atEnd { #expect(Diary.shared.writes == 1) }
    }
}
