import Configuration
import ControlSocket
import Foundation
import Processes

/// The state of one device at one moment.
struct ServiceSnapshot {
    let device: CommandDevice
    /// Its status; nil if it does not answer.
    let status: JSONValue?
    /// The reason why it does not answer.
    let problem: String
    /// The exit code of a command that needs it.
    let code: ExitCode?
    /// Its counters and gauges, by name and labels.
    let samples: [String: Double]
    /// Its latest events as JSON; `place` is the position after them.
    let events: [JSONValue]
    let place: Int64
    let time: ContinuousClock.Instant

    init(
        _ device: CommandDevice, status: JSONValue? = nil, problem: String = "", code: ExitCode? = nil,
        samples: [String: Double] = [:],
        events: [JSONValue] = [],
        place: Int64 = 0, time: ContinuousClock.Instant = .now
    ) {
        self.device = device
        self.status = status
        self.problem = problem
        self.code = code
        self.samples = samples
        self.events = events
        self.place = place
        self.time = time
    }

    /// Queries a device.
    ///
    /// - Parameter place: The position after which events are returned.
    static func of(_ device: CommandDevice, _ invocation: Invocation, after place: Int64) -> ServiceSnapshot {
        do {
            let client = try invocation.client(of: device, timeout: .seconds(5))
            let status = try client.call("status")
            let metrics = try client.call("metrics").string ?? ""
            let answer = try client.call("events", ["after": .integer(place)])
            let events = try (answer["lines"]?.array ?? []).compactMap(\.string).map { line in
                try JSONValue(json: Data(line.utf8))
            }
            return ServiceSnapshot(
                device, status: status, samples: samples(metrics), events: events,
                place: answer["place"]?.integer ?? place)
        } catch {
            let error = CommandError(any: error, of: device)
            return ServiceSnapshot(
                device, problem: error.code == .notRunning ? "not running" : error.message, code: error.code)
        }
    }

    /// Parses the samples of Prometheus text.
    static func samples(_ text: String) -> [String: Double] {
        var samples: [String: Double] = [:]
        for line in text.split(separator: "\n") where !line.hasPrefix("#") {
            guard let space = line.lastIndex(of: " "), let value = Double(line[line.index(after: space)...]) else {
                continue
            }
            samples[String(line[..<space])] = value
        }
        return samples
    }

    /// Returns the sum of a metric's samples with these labels.
    func sum(_ name: String, _ labels: String...) -> Double {
        samples.filter { key, _ in
            (key == name || key.hasPrefix(name + "{")) && labels.allSatisfy(key.contains)
        }.values.reduce(0, +)
    }
}
