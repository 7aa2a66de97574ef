import Configuration
import ControlSocket
import EventLog
import Foundation
import RecordSync
import Storage

/// The migration between the host's store and another one, while the host runs.
extension RecordMethods {
    /// The most conflicts that an answer lists. 20: a person looks at the first ones.
    private static let shownConflicts = 20

    /// Copies all records to the place in “to”, or from the one in “from”, and verifies them.
    func migrate(_ params: JSONValue, _ progress: @escaping MaintenanceQueue.Progress) throws -> JSONValue {
        guard let others else {
            throw ControlError(
                ControlError.refused, "a migration belongs to a running host; start the host, then migrate")
        }
        let (to, from) = (params["to"], params["from"])
        guard let place = to ?? from, to == nil || from == nil else {
            throw ControlError(ControlError.invalidParams, "a migration needs either “to” or “from”")
        }
        let (other, name) = try others.open(place, isSource: from != nil)
        defer { other.close() }
        var migration =
            from == nil
            ? RecordMigration(from: store, to: other, progress: progress)
            : RecordMigration(from: other, to: store, progress: progress)
        let report = try migration.run()
        logger.log(
            .databaseMigrated,
            [
                .path(name), .count(report.copied),
                .reason("\(from == nil ? "to" : "from") it; \(report.verified) verified"),
            ])
        return answer(report)
    }

    private func answer(_ report: RecordMigrationReport) -> JSONValue {
        let numbers = [
            "copied": report.copied, "changed": report.changed, "deleted": report.deleted, "present": report.present,
            "newerInTarget": report.newerInTarget, "deletedInTarget": report.deletedInTarget,
            "onlyInTarget": report.onlyInTarget, "verified": report.verified, "unverified": report.unverified,
            "inSource": report.inSource, "inTarget": report.inTarget, "conflictCount": report.conflicts.count,
        ]
        let conflicts = report.conflicts.map(\.identifier.uuidString).sorted().prefix(Self.shownConflicts)
        return .object(
            numbers.mapValues { .integer(Int64($0)) }.merging([
                "conflicts": .array(conflicts.map { .string($0) }), "isComplete": .boolean(report.isComplete),
            ]) { $1 })
    }
}
