import Configuration
import Foundation
import PostgreSQLRules
import PostgreSQLStorage
import RecordSync

/// The JSON of a database server's state in a status.
enum ServerStatus {
    static func json(
        _ report: Result<ServerReport, StoreError>, application: String, settings: PostgreSQLSettings
    ) -> JSONValue {
        let health = ServerHealth.process.summary(application)
        var fields: [String: JSONValue] = [
            "url": .string(settings.address.url), "connections": .integer(Int64(health.connections)),
            "failures": .integer(Int64(health.losses)),
            "failedSince": health.failedSince.map { .string($0.formatted(.iso8601)) } ?? .null,
            "passfile": settings.passfile.map { .string($0) } ?? .null,
            "passfileTrouble": settings.passfile.flatMap(DatabaseSettings.trouble(withPassfile:)).map { .string($0) }
                ?? .null,
        ]
        if case .success(let report) = report { fields.merge(self.fields(of: report)) { $1 } }
        return .object(fields)
    }

    static func fields(of report: ServerReport) -> [String: JSONValue] {
        [
            "server": .string(report.server), "version": .string(report.version),
            "isPooled": .boolean(report.isPooled), "isEncrypted": .boolean(report.isEncrypted),
            "schemaVersion": report.schemaVersion.map { .integer($0) } ?? .null, "hosts": .integer(report.hosts),
            "records": .integer(report.records),
            "replicas": report.replicas.map { replicas in
                .array(
                    replicas.map { replica in
                        [
                            "name": .string(replica.name), "state": .string(replica.state),
                            "isSynchronous": .boolean(replica.isSynchronous),
                            "lagSeconds": replica.secondsBehind.map { .number($0) } ?? .null,
                            "lagBytes": replica.bytesBehind.map { .integer($0) } ?? .null,
                        ]
                    })
            } ?? .null,
        ]
    }
}
