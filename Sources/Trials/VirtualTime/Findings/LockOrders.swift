import CVirtualTime

/// Two threads of a device that took two locks in opposite orders: they wait for each other for ever if they meet.
package struct LockOrders {
    /// The device's name.
    package let device: String
    /// The two threads, what each held and took, and their stacks, a line each.
    package let threads: String

    /// Returns those that the worlds of a performance noted, each once for each device.
    package static func all(of performance: Performance) -> [LockOrders] {
        var known: Set<String> = []
        return performance.processes.flatMap { process in
            reports(in: process.world.trace).map { LockOrders(device: process.name, threads: $0) }
        }.filter { known.insert($0.cause).inserted }
    }

    /// Returns the lines that follow each mark in a trace.
    private static func reports(in trace: String) -> [String] {
        guard trace.contains(VIRTUAL_TIME_LOCK_ORDERS) else { return [] }
        let lines = trace.split(separator: "\n")
        return lines.indices.filter { lines[$0].hasSuffix(" \(VIRTUAL_TIME_LOCK_ORDERS):") }.map { index in
            lines[(index + 1)...].prefix { $0.hasPrefix("  ") }.joined(separator: "\n")
        }
    }

    /// A text that is the same for equal orders of different threads.
    package var cause: String {
        var blocks: [String] = []
        for line in threads.split(separator: "\n") {
            // The thread that came second takes what the first one holds.
            let text = Ending.withoutNumbers(String(line.replacing(VIRTUAL_TIME_SECOND_ORDER, with: "")))
            let isFirst = blocks.isEmpty || line.hasPrefix("  thread ")
            if isFirst { blocks.append(text) } else { blocks[blocks.count - 1] += "\n\(text)" }
        }
        return "the \(device) \(blocks.sorted().joined(separator: "\n"))"
    }

    /// Returns the meaning, and the threads.
    ///
    /// - Parameter advice: What can make the threads meet, in parentheses.
    package func description(advice: String) -> String {
        "the \(device) takes locks in opposite orders: a deadlock, if its threads meet\(advice)\n\(threads)"
    }
}
