import EventLog
import Foundation
import Metrics

/// The metrics as a file that is whole whenever somebody reads it: for node_exporter's textfile collector.
struct MetricsFile: Sendable {
    let path: String
    let logger: Logger

    func write() {
        do {
            // Atomic: written beside it, then renamed.
            try Data(MetricRegistry.process.text().utf8).write(to: URL(filePath: path), options: .atomic)
            // The collector is another user; there is nothing in it that is anybody's secret.
            try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: path)
        } catch {
            logger.log(.metricsNotWritten, [.path(path), .error(error)])
        }
    }
}
