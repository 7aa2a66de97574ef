import Configuration
import EventLog
import Foundation
import Metrics
import WatchConnectivity

/// The methods of a program's control socket beside those of its device: as far as a program has what a service has, it
/// reports it in the same form.
final class ProgramMethods: Sendable {
    private let device: DeviceSimulator
    private let started = Date()
    /// The device's own metrics. A process may have several devices, so they are not in the process's registry.
    private let registry = MetricRegistry()

    init(_ device: DeviceSimulator) {
        self.device = device
        ProcessMetrics.register(started: started, in: registry)
        ProcessMetrics.register(device, in: registry)
    }

    /// Returns the answer to a request; nil if the method is unknown.
    func answer(_ method: String, _ params: JSONValue) -> JSONValue? {
        switch method {
        case "status": .object(ProcessReport.of(device, started: started))
        case "metrics": .string(MetricRegistry.process.text() + registry.text())
        case "events": (device.configuration?.recent ?? RecentEvents()).report(params)
        case "time": .number(Date().timeIntervalSince1970)
        default: nil
        }
    }
}
