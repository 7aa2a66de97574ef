import Foundation

/// The outcome of each fault, counted and in words.
struct Report {
    let outcomes: [(fault: Fault, outcome: Outcome)]

    var caught: Int {
        outcomes.count {
            if case .caught = $0.outcome { true } else if case .broke = $0.outcome { true } else { false }
        }
    }

    var counted: Int {
        outcomes.count {
            if case .equivalent = $0.outcome { false } else if case .untried = $0.outcome { false } else { true }
        }
    }

    /// In percent; 100 if nothing was tried.
    var share: Double { counted == 0 ? 100 : 100 * Double(caught) / Double(counted) }

    func printAll() {
        for (fault, outcome) in outcomes {
            switch outcome {
            case .survived(let what): print("SURVIVED \(fault.words)\n         \(what) passed")
            case .unreached: print("SURVIVED \(fault.words)\n         nothing that was run gets there")
            case .caught, .broke, .equivalent, .untried: break
            }
        }
        for (module, part) in Dictionary(grouping: outcomes, by: \.fault.module).sorted(by: { $0.key < $1.key }) {
            Report(outcomes: part).printLine(module)
        }
        printLine("all")
        for kind in FaultKind.allCases {
            Report(outcomes: outcomes.filter { $0.fault.site.kind == kind }).printLine("  \(kind.rawValue)")
        }
    }

    private func printLine(_ name: String) {
        let equivalent = outcomes.count { if case .equivalent = $0.outcome { true } else { false } }
        let untried = outcomes.count { if case .untried = $0.outcome { true } else { false } }
        let more = (equivalent > 0 ? ", \(equivalent) equivalent" : "") + (untried > 0 ? ", \(untried) not tried" : "")
        print(
            String(
                format: "%@ %d of %d caught (%.0f %%)%@", name.padding(toLength: 22, withPad: " ", startingAt: 0),
                caught, counted, share, more))
    }
}

extension Fault {
    var module: String { site.path.split(separator: "/").dropFirst(2).first.map(String.init) ?? site.path }

    var words: String {
        "\(number) \(site.path):\(site.line) \(site.scope) \(site.kind.rawValue)\n         - \(Site.short(site.before))\n         + \(Site.short(site.after))\n         \(site.key)"
    }
}
