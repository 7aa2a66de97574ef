import EventLog
import Foundation
import Metrics

/// A metrics file for node_exporter's textfile collector, replaced atomically.
struct MetricsFile: Sendable {
    let path: String
    let logger: Logger

    func write() {
        do {
            // Written to a temporary file, then renamed.
            try Data(MetricRegistry.process.text().utf8).write(to: URL(filePath: path), options: .atomic)
            // The collector runs as another user, and metrics hold no secrets.
            try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: path)
        } catch {
            logger.log(.metricsNotWritten, [.path(path), .error(error)])
        }
    }
}
