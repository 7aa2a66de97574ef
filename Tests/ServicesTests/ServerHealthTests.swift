import Configuration
import Foundation
import Metrics
import PostgreSQLRules
import Testing

@testable import Services

@Suite("The state of database servers")
struct ServerHealthTests {
    private let registry = MetricRegistry()

    private func lines() -> [String] {
        registry.text().split(separator: "\n").map(String.init)
            .filter { !$0.hasPrefix("#") && !$0.contains("_seconds_") || $0.contains("_count") }
    }

    @Test("Only the first failure and the recovery are news, and the metrics show the state")
    func transitions() {
        let health = ServerHealth(registry)
        #expect(!health.used("steps", isSuccess: true, seconds: 0.01))
        health.connected("steps")
        #expect(lines().contains(#"watchlink_database_server_up{application="steps"} 1"#), "\(lines())")
        health.lost("steps")
        #expect(health.used("steps", isSuccess: false, seconds: 10))
        #expect(!health.used("steps", isSuccess: false, seconds: 10))
        #expect(health.summary("steps").failedSince != nil)
        #expect(lines().contains(#"watchlink_database_server_up{application="steps"} 0"#), "\(lines())")
        #expect(health.used("steps", isSuccess: true, seconds: 0.01))
        #expect(!health.used("steps", isSuccess: true, seconds: 0.01))
        let summary = health.summary("steps")
        #expect(summary.failedSince == nil)
        #expect(summary.connections == 1)
        #expect(summary.losses == 1)
        for line in [
            #"watchlink_database_server_outage_seconds{application="steps"} 0"#,
            #"watchlink_database_server_connections_total{application="steps"} 1"#,
            #"watchlink_database_server_failures_total{application="steps"} 1"#,
            #"watchlink_database_server_seconds_count{application="steps"} 5"#,
        ] {
            #expect(lines().contains(line), "\(lines())")
        }
    }

    @Test("Applications are counted apart")
    func apart() {
        let health = ServerHealth(registry)
        #expect(health.used("steps", isSuccess: false, seconds: 1))
        #expect(!health.used("quizzes", isSuccess: true, seconds: 1))
        #expect(health.summary("quizzes").failedSince == nil)
    }

    @Test("A report has the server, its tables and its replicas")
    func report() {
        let fields = ServerStatus.fields(
            of: ServerReport(
                server: "db1:5432", version: "15.18", isPooled: true, isEncrypted: true, schemaVersion: nil, hosts: 3,
                records: 70,
                replicas: [
                    .init(
                        name: "db2", state: "streaming", isSynchronous: true, bytesBehind: 4_096, secondsBehind: 0.25),
                    .init(name: "db3", state: "", isSynchronous: false, bytesBehind: nil, secondsBehind: nil),
                ]))
        #expect(fields["server"] == "db1:5432")
        #expect(fields["isPooled"] == true)
        #expect(fields["isEncrypted"] == true)
        #expect(fields["schemaVersion"] == .null)
        #expect(fields["records"] == 70)
        #expect(
            fields["replicas"]
                == .array([
                    [
                        "name": "db2", "state": "streaming", "isSynchronous": true, "lagSeconds": .number(0.25),
                        "lagBytes": 4_096,
                    ],
                    ["name": "db3", "state": "", "isSynchronous": false, "lagSeconds": .null, "lagBytes": .null],
                ]))
    }

    @Test("A server that does not tell of replicas is told from one without any")
    func unknownReplicas() {
        func replicas(_ known: [ServerReport.Replica]?) -> JSONValue? {
            ServerStatus.fields(
                of: ServerReport(
                    server: "db1:5432", version: "15.18", isPooled: false, isEncrypted: true, schemaVersion: 1,
                    hosts: 1,
                    records: 0, replicas: known))["replicas"]
        }
        #expect(replicas(nil) == .null)
        #expect(replicas([]) == .array([]))
    }
}
