import Configuration
import ControlSocket
import Foundation
import Processes
import ServiceRuntime
import TestSupport
import Testing

@Suite("Agreement of the two ledgers after kills")
struct LedgerAgreementTests {
    private let bench: TestBench
    init() throws { bench = try TestBench() }

    private static let sides = ["host", "companion"]
    private static let rounds = 24

    private func call(_ side: String, _ method: String, _ params: JSONValue = .object([:])) throws -> JSONValue {
        let state = bench.state()
        let path = side == "host" ? state.hostControlSocket : state.companionControlSocket
        return try ControlClient(path: path, timeout: .seconds(60)).call(method, params)
    }

    private func start(_ side: String) throws -> BackgroundProcess {
        let quick = "{ link: { firstReconnect: 0.02, longestReconnect: 0.1 } }"
        return try bench.start(side, config: side == "host" ? nil : quick)
    }

    private func entries(_ side: String) throws -> [String: JSONValue] {
        let entries = try call(side, "ledger", ["limit": .integer(10_000)]).array ?? []
        return Dictionary(
            entries.map { ("\($0["identifier"]?.string ?? "") \($0["direction"]?.string ?? "")", $0) },
            uniquingKeysWith: { $1 })
    }

    @Test("A transfer that cannot be started is refused with the reason; one that has ended by then is not refused")
    func refused() throws {
        let services = try Self.sides.map { try start($0) }
        for service in services {
            service.expectLines(containing: "reachable=true")
        }
        let tooLarge = String(repeating: "x", count: 300_000)
        for (params, words): (JSONValue, String) in [
            (["kind": "file", "path": "/nonexistent/file"], "/nonexistent/file"),
            (["kind": "user-info", "content": .string(tooLarge)], "limit"),
        ] {
            let error = #expect(throws: ControlClient.Failure.self) { try call("host", "send", params) }
            #expect(error.map { "\($0)".contains(words) } == true, "\(String(describing: error))")
        }
        for number in 0..<200 {
            _ = try call("host", "send", ["kind": "user-info", "content": .string("\(number)")])
        }
        for service in services { #expect(service.stop(within: TestBench.limit) == 0) }
    }

    @Test("After SIGKILLs at any moment both ledgers agree on the fate of each transfer")
    func agree() throws {
        var services = try Dictionary(uniqueKeysWithValues: Self.sides.map { ($0, try start($0)) })
        services["companion"]?.expectLines(containing: "reachable=true")
        services["host"]?.expectLines(containing: "reachable=true")
        let file = try bench.write("file", String(repeating: "x", count: 300_000))
        var sent: [(side: String, identifier: String)] = []
        for round in 0..<Self.rounds {
            for number in 0..<6 {
                for side in Self.sides {
                    for kind in ["user-info", "context", "file", "user-info"] where kind != "file" || number == 0 {
                        let params: JSONValue =
                            kind == "file"
                            ? ["kind": "file", "path": .string(file)]
                            : ["kind": .string(kind), "content": .string("\(UUID())")]
                        let identifier = try call(side, "send", params)["identifier"]?.string
                        // The identifier of a context is not reported.
                        if kind != "context" { sent.append((side, try #require(identifier))) }
                    }
                }
            }
            // Right after an end, when the ledger lags behind the most.
            let victim = Self.sides[round % 2]
            let moment = ["transfer received", "transfer finished", "transfer delivered", "transfer queued"][
                round / 2 % 4]
            _ = services[victim]?.waitForLines(1 + round % 5, containing: moment, within: .seconds(5))
            services[victim]?.kill()
            services[victim] = try start(victim)
        }
        for side in Self.sides {
            var place: Int64 = 0
            while try call(side, "device.status")["outgoing"]?.integer ?? 0 > 0 {
                let changes = try call(
                    side, "ledger", ["after": .integer(place), "wait": .boolean(place > 0), "limit": .integer(1_000)])
                place = changes.array?.compactMap { $0["sequence"]?.integer }.max() ?? place + 1
            }
        }
        for side in Self.sides { #expect(services[side]?.stop(within: TestBench.limit) == 0) }
        services = try Dictionary(uniqueKeysWithValues: Self.sides.map { ($0, try start($0)) })
        // Pending items are delivered to the delegate now.
        for side in Self.sides {
            var place: Int64 = 0
            while try entries(side).values.contains(where: { $0["state"] == "received" }) {
                let changes = try call(side, "ledger", ["after": .integer(place), "wait": .boolean(place > 0)])
                place = changes.array?.compactMap { $0["sequence"]?.integer }.max() ?? place + 1
            }
        }
        let ledgers = try Dictionary(uniqueKeysWithValues: Self.sides.map { ($0, try entries($0)) })
        for side in Self.sides {
            for (key, entry) in ledgers[side] ?? [:] where entry["kind"] == "context" && key.hasSuffix(" outgoing") {
                guard entry["state"] != "coalesced" else { continue }
                sent.append((side, entry["identifier"]?.string ?? ""))
            }
        }
        var wrong: [String] = []
        for (side, identifier) in sent {
            let other = side == "host" ? "companion" : "host"
            let (out, into) = (ledgers[side]?["\(identifier) outgoing"], ledgers[other]?["\(identifier) incoming"])
            let isContext = out?["kind"] == "context"
            let isThere = into?["state"] == "delivered" || (isContext && into?["state"] == "coalesced")
            if out?["state"] != "delivered" || !isThere {
                wrong.append(
                    "\(identifier), \(out?["kind"]?.string ?? "unknown") of the \(side): it says \(out?["state"]?.string ?? "nothing"), the \(other) \(into?["state"]?.string ?? "nothing")"
                )
            }
        }
        #expect(wrong.isEmpty, "\(wrong.count) of \(sent.count): \(wrong.prefix(8))")
        for side in Self.sides { _ = services[side]?.stop(within: TestBench.limit) }
    }
}
