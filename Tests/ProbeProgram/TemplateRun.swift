import CVirtualTime
import Glibc

/// The worlds of one template, told in lines.
struct TemplateRun {
    var worlds: OpaquePointer
    /// Real time after which a world is killed.
    var milliseconds: UInt32

    func printAll(_ seeds: ClosedRange<UInt64>) {
        for seed in seeds {
            var decisions: [virtual_time_decision] = []
            print(line(seed, keeping: &decisions))
            print(line(seed))
            print(line(seed, replaying: decisions))
        }
        virtual_time_template_close(worlds)
    }

    private func line(_ seed: UInt64) -> String {
        var unused: [virtual_time_decision] = []
        return line(seed, keeping: &unused)
    }

    private func line(_ seed: UInt64, keeping decisions: inout [virtual_time_decision]) -> String {
        run(seed, sequel: virtual_time_sequel_drawn, given: []) { record in
            let count = Int(record.pointee.decision_count)
            // Those that are not dull, in the order in which a world looks for them.
            decisions = UnsafeBufferPointer(start: virtual_time_record_decisions(record), count: count)
                .filter { $0.taken > 0 }.sorted { ($0.place, $0.ordinal) < ($1.place, $1.ordinal) }
        }
    }

    private func line(_ seed: UInt64, replaying decisions: [virtual_time_decision]) -> String {
        run(seed, sequel: virtual_time_sequel_dull, given: decisions) { _ in }
    }

    private func run(
        _ seed: UInt64, sequel: virtual_time_sequel, given: [virtual_time_decision],
        look: (UnsafePointer<virtual_time_record>) -> Void
    ) -> String {
        var settings = virtual_time_defaults(seed)
        settings.sequel = sequel.rawValue
        settings.spin_milliseconds = 60_000
        var status: Int32 = 0
        guard let record = virtual_time_template_run(worlds, &settings, given, given.count, milliseconds, &status)
        else {
            return "seed \(seed): no record, error \(errno)"
        }
        look(record)
        let bytes = UnsafeRawBufferPointer(
            start: virtual_time_record_trace(record), count: Int(record.pointee.trace_length))
        let hash = bytes.reduce(0xcbf2_9ce4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
        let counts = record.pointee.counts
        return "seed \(seed): end \(record.pointee.end), status \(status), trace \(String(hash, radix: 16)), "
            + "draws \(counts.draws), switches \(counts.switches), mismatches \(counts.mismatches), now \(record.pointee.now)"
    }
}
