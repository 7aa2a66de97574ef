import CVirtualTime
import Glibc

/// The worlds of one template, told in lines.
struct TemplateRun {
    var worlds: OpaquePointer

    func printAll(_ seeds: ClosedRange<UInt64>) {
        for seed in seeds { for _ in 1...2 { print(line(seed)) } }
        virtual_time_template_close(worlds)
    }

    private func line(_ seed: UInt64) -> String {
        var settings = virtual_time_defaults(seed)
        var status: Int32 = 0
        guard let record = virtual_time_template_run(worlds, &settings, nil, 0, 60_000, &status) else {
            return "seed \(seed): no record, error \(errno)"
        }
        let bytes = UnsafeRawBufferPointer(
            start: virtual_time_record_trace(record), count: Int(record.pointee.trace_length))
        let hash = bytes.reduce(0xcbf2_9ce4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
        let counts = record.pointee.counts
        return "seed \(seed): end \(record.pointee.end), status \(status), trace \(String(hash, radix: 16)), "
            + "draws \(counts.draws), switches \(counts.switches), now \(record.pointee.now)"
    }
}
