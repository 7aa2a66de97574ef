import PostgreSQLRules
import RecordStorage
import Testing

@Suite("Failures of servers")
struct FailureTests {
    private static func response(_ state: String?, isConnectionLost: Bool = false) -> FailureResponse {
        ServerFailure(state: state, message: "m", isConnectionLost: isConnectionLost).response
    }

    @Test(
        "A transaction that the server undid runs again",
        arguments: ["40001", "40P01", "40003", "55P03", "57014", "40000"])
    func retried(_ state: String) { #expect(Self.response(state) == .retry) }

    @Test(
        "A server that is out of reach, restarting, full or read-only is connected to again",
        arguments: ["08000", "08003", "08006", "08P01", "57P01", "57P02", "57P03", "57P05", "53300", "25006", "25P03"])
    func reconnected(_ state: String) { #expect(Self.response(state) == .reconnect) }

    @Test(
        "What no attempt changes is reported",
        arguments: [
            ("22021", StoreError.Kind.refused), ("42501", .refused), ("42703", .refused), ("28P01", .refused),
            ("28000", .refused), ("23502", .refused), ("54000", .refused), ("55000", .refused), ("0A000", .refused),
            ("3D000", .displaced), ("3F000", .displaced), ("42P01", .displaced), ("XX001", .damaged),
            ("XX002", .damaged), ("53100", .unavailable), ("53200", .unavailable), ("58030", .unavailable),
            ("XX000", .unavailable), ("57000", .unavailable),
        ])
    func reported(_ state: String, _ kind: StoreError.Kind) { #expect(Self.response(state) == .report(kind)) }

    @Test("A pooler that knows no prepared statement gets none", arguments: ["26000", "42P05"])
    func unprepared(_ state: String) { #expect(Self.response(state) == .retryUnprepared) }

    @Test("A connection that is lost without a word, or with one, is made again")
    func lost() {
        #expect(Self.response(nil, isConnectionLost: true) == .reconnect)
        #expect(Self.response("XX000", isConnectionLost: true) == .reconnect)
        #expect(Self.response("28P01", isConnectionLost: true) == .report(.refused))
        #expect(Self.response(nil) == .report(.unavailable))
    }

    @Test("Pauses grow to half a second, with jitter")
    func pauses() {
        var (shortest, longest) = (Backoff(), Backoff())
        let low = (0..<8).map { _ in shortest.pause(jitter: 0) }
        let high = (0..<8).map { _ in longest.pause(jitter: 1) }
        #expect(low == [10, 20, 40, 80, 160, 250, 250, 250].map { .milliseconds($0) })
        #expect(high == [20, 40, 80, 160, 320, 500, 500, 500].map { .milliseconds($0) })
        var wild = Backoff()
        #expect(wild.pause(jitter: 7) == .milliseconds(20))
    }
}
