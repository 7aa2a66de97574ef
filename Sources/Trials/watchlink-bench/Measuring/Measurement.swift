/// One line of a result: a value, with a reference from the same run.
struct Measurement {
    enum Unit: String {
        case seconds = "s"
        case perSecond = "/s"
        case bytes = "B"
        case count = ""
    }

    /// The goal, as the value itself or as its ratio to the reference.
    enum Goal {
        case atLeast(Double)
        case atMost(Double)
        case ratioAtLeast(Double)
        case ratioAtMost(Double)
    }

    let name: String
    let value: Double
    let unit: Unit
    var reference: (name: String, value: Double)?
    var goal: Goal?
    /// Further numbers: percentiles, allocations.
    var details: [(String, Double)] = []

    /// The value divided by the reference's.
    var ratio: Double? { reference.flatMap { $0.value > 0 ? value / $0.value : nil } }

    var isMet: Bool? {
        switch goal {
        case .atLeast(let wanted): value >= wanted
        case .atMost(let allowed): value <= allowed
        case .ratioAtLeast(let wanted): ratio.map { $0 >= wanted }
        case .ratioAtMost(let allowed): ratio.map { $0 <= allowed }
        case nil: nil
        }
    }

    var goalText: String {
        switch goal {
        case .atLeast(let wanted): "≥ \(Self.text(wanted, unit))"
        case .atMost(let allowed): "≤ \(Self.text(allowed, unit))"
        case .ratioAtLeast(let wanted): "≥ \(Self.ratio(wanted))"
        case .ratioAtMost(let allowed): "≤ \(Self.ratio(allowed))"
        case nil: ""
        }
    }

    static func text(_ value: Double, _ unit: Unit) -> String {
        switch unit {
        case .seconds:
            value < 1e-6
                ? "\(plain(value * 1e9)) ns"
                : value < 1e-3
                    ? "\(plain(value * 1e6)) µs"
                    : value < 1
                        ? "\(plain(value * 1e3)) ms" : "\(plain(value)) s"
        case .perSecond: value < 10_000 ? "\(plain(value))/s" : "\(Int((value / 1_000).rounded()))k/s"
        case .bytes:
            value < 1_024
                ? "\(Int(value)) B"
                : value < 1_048_576
                    ? "\(plain(value / 1_024)) KiB" : "\(plain(value / 1_048_576)) MiB"
        case .count: plain(value)
        }
    }

    /// Formats a ratio; a small one as a fraction.
    static func ratio(_ ratio: Double) -> String {
        ratio > 0 && ratio < 0.1 ? "1/\(Int((1 / ratio).rounded()))" : plain(ratio) + "×"
    }

    /// Formats a number with three digits.
    static func plain(_ value: Double) -> String {
        let size = abs(value)
        if size == size.rounded(), size < 1e9 { return "\(Int(value))" }
        let factor: Double = size >= 100 ? 1 : size >= 10 ? 10 : 100
        let rounded = (value * factor).rounded() / factor
        return rounded == rounded.rounded() ? "\(Int(rounded))" : "\(rounded)"
    }
}
