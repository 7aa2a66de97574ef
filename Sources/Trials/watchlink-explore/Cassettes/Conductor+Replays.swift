import Processes
import VirtualTime

extension Conductor {
    /// Returns a conductor of replays, in their directory.
    func forReplays(in folder: ScratchDirectory) -> Conductor {
        var conductor = self
        // Replays of one seed do not wait for each other.
        conductor.directory = folder.path
        conductor.settings.epoch += WorldSettings.epochOfApps - WorldSettings().epoch
        // The order of threads is explored elsewhere: here it is the same in each replay.
        conductor.settings.preemption = 0
        return conductor
    }
}
