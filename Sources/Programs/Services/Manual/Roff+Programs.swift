package import Processes
package import ServiceRuntime

/// The parts that the manual pages of several programs have.
extension Roff {
    package mutating func option(_ option: OptionDefinition) {
        let name = (option.short.map { "-\($0), " } ?? "") + "--\(option.name)"
        item(name + (option.placeholder.map { " \($0)" } ?? ""), option.help)
    }

    package mutating func exitCodes(_ codes: [ExitCode]) {
        heading("EXIT STATUS")
        for code in codes {
            let words = code.description.split(separator: " ", maxSplits: 1)
            item(String(words[0]), String(words[1]))
        }
    }

    package mutating func environment() {
        heading("ENVIRONMENT")
        item(StateDirectory.environmentVariable, "the state directory, if no option names one")
        item("NO_COLOR, TERM", "turn colours off, if the first is set or the second is “dumb”")
    }
}
