import Foundation

/// The names of the conditions that held, from a trace.
struct ReachedNames {
    let names: [String]

    init(_ trace: String) {
        names = trace.split(separator: "\n").compactMap { line in
            line.range(of: DeviceLife.reachedMark).map { String(line[$0.upperBound...]) }
        }
    }
}
