extension NewPackage {
    /// The payload's type. Its fields are examples that any application can replace.
    var payload: String {
        let plural =
            name.hasOwnPlural
            ? "\n    /// The name of many.\n    public static let plural = \"\(name.plural)\"" : ""
        return """
            public import Foundation
            public import WatchLinkServices

            /// The payload: what the watch accepts, and the phone stores exactly once.
            ///
            /// Replace the fields after the identifier by your own.
            public struct \(name.type): RecordPayload, Codable, Equatable {
                /// The name in texts and log events.
                public static let name = "\(name.singular)"\(plural)
                /// The values that lists and tables show.
                public static let columns: [PayloadColumn<\(name.type)>] = [
                    .date("recorded_at") { $0.recordedAt }, .real("value") { $0.value }, .text("note") { $0.note },
                ]

                /// The same in every retry: the phone stores a payload once for each device and identifier.
                public let identifier: UUID
                /// The time of the measurement.
                public let recordedAt: Date
                /// The measured value.
                public let value: Double
                /// A remark.
                public let note: String

                /// Creates a payload.
                public init(identifier: UUID = UUID(), recordedAt: Date, value: Double, note: String) {
                    self.identifier = identifier
                    self.recordedAt = recordedAt
                    self.value = value
                    self.note = note
                }

                /// Rejects what can never be stored. A rejection is final, so it depends on the content only, never on a clock.
                public func validate() throws {
                    guard value.isFinite, value >= 0 else {
                        throw PayloadError.invalid(field: "value", reason: "is not a number of at least zero")
                    }
                }

                /// Returns a warning if the time is ahead of the clock, which may be wrong: the payload is stored all the same.
                public func warning(at time: Date) -> String? {
                    recordedAt > time.addingTimeInterval(3_600) ? "recordedAt is more than an hour ahead of the clock" : nil
                }
            }

            """
    }

    /// The program of a service.
    func main(_ side: String) -> String {
        """
        import \(name.module)
        import WatchLinkServices

        ServiceProgram.\(side)(\(name.type).self)

        """
    }

    /// A document as `watchlink submit` takes it. Without an identifier, it gets one that is derived from its content.
    var example: String {
        """
        {"recordedAt": "2026-11-20T18:30:00Z", "value": 4.5, "note": "the first"}

        """
    }

    var validationTest: String {
        """
        import Foundation
        import \(name.module)
        import Testing

        @Suite("\(name.type)")
        struct \(name.type)Tests {
            @Test("Values below zero, and those that are no numbers, are rejected", arguments: [-1, .nan, .infinity])
            func rejection(_ value: Double) {
                #expect(throws: (any Error).self) { try \(name.type)(recordedAt: .now, value: value, note: "").validate() }
            }

            @Test("Zero is valid")
            func zero() throws { try \(name.type)(recordedAt: .now, value: 0, note: "").validate() }
        }

        """
    }

    var serviceTest: String {
        """
        import Foundation
        import Testing
        import WatchLinkTesting

        /// The real services, each a process of its own.
        @Suite("Services")
        struct ServiceTests {
            private static let document = \"""
                {"identifier": "3F2504E0-4F89-41D3-9A0C-0305E82C3301",
                 "recordedAt": "2026-11-20T18:30:00Z", "value": 4.5, "note": "kept"}
                \"""

            @Test("An accepted payload is stored exactly once, although both services are killed")
            func kills() async throws {
                let pair = try ServicePair(host: "\(name.host)", companion: "\(name.companion)")
                try await pair.start()
                pair.host.kill()
                try await pair.waitUntil("the host is gone") { pair.host.hasEnded }
                let submit = ["submit", "--application", "\(name.plural)", "-"]
                let accepted = try await pair.run("watchlink", submit, input: Self.document)
                #expect(accepted.ending == .exit(0), "\\(accepted)")
                pair.companion.kill()
                try await pair.waitUntil("the companion is gone") { pair.companion.hasEnded }

                try await pair.start()
                let replied = try await pair.run("watchlink", submit + ["--wait"], input: Self.document)
                #expect(replied.ending == .exit(0), "\\(replied)")
                let count = try await pair.run("watchlink", ["records", "\(name.plural)", "count"])
                #expect(count.text == "1\\n", "\\(count)")
            }
        }

        """
    }
}
