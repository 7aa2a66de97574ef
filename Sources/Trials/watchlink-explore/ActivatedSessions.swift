import DeviceShell
import EventLog
import Foundation
import VirtualTime

/// The devices of a seed's world, and those of them whose session was activated, by their logs.
struct ActivatedSessions {
    let devices: Set<String>
    let activated: Set<String>

    init(_ performance: Performance, _ script: Script) {
        let processes = performance.processes.filter { $0.name != script.direction?.director }
        let mark = Data(LogEvent.sessionActivated.text.utf8)
        devices = Set(processes.map(\.name))
        activated = Set(processes.filter { Data($0.errors).range(of: mark) != nil }.map(\.name))
    }
}
