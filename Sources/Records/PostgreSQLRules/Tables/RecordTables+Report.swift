import RecordStorage

/// The questions about a server's state. Each stands alone: an engine or a user without the view refuses only that one.
extension RecordTables {
    package static let askVersion = ServerStatement(
        "SELECT coalesce(current_setting('server_version', true), '')", isRepeated: false)

    /// Finds the replicas. A user without the role pg_monitor sees only their names.
    package static let askReplicas = ServerStatement(
        """
        SELECT application_name::text, coalesce(state, '')::text, coalesce(sync_state, '')::text,
            (extract(epoch FROM replay_lag))::double precision,
            pg_wal_lsn_diff(pg_current_wal_lsn(), replay_lsn)::bigint
        FROM pg_stat_replication ORDER BY application_name
        """, isRepeated: false)

    package static func replica(_ row: ServerRow) -> ServerReport.Replica {
        let mode = row.text(2) ?? ""
        return ServerReport.Replica(
            name: row.text(0) ?? "", state: row.text(1) ?? "", isSynchronous: ["sync", "quorum"].contains(mode),
            // A replica may report its place before this server's own is read.
            bytesBehind: row.integer(4).map { max(0, $0) }, secondsBehind: row.real(3))
    }
}
