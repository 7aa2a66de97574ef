import Foundation
import Processes
import ServiceRuntime

/// Lets `watchlink-explore` look for the flaws of all client pairs, and for none in the correct ones, and says how well it did.
@main
enum ClientTrial {
    private static let options = [
        OptionDefinition(
            "seeds", placeholder: "N",
            help: "a flaw must be found by one of so many; each correct pair has as many; 1000"),
        OptionDefinition("hours", placeholder: "H", help: "how long each seed's world lasts; 0.5"),
        OptionDefinition("tries", placeholder: "N", help: "worlds that a finding may take to be made small; 60"),
        OptionDefinition("jobs", placeholder: "N", help: "worlds at a time; as many as there are cores"),
        OptionDefinition("only", placeholder: "NAMES", help: "these pairs, separated by commas"),
    ]

    static func main() {
        ToolProgram.run("ClientTrial", options: options, help: help) { parsed in
            let request = try TrialRequest(parsed)
            let report = try Trial(request).run()
            try StandardOutput.print(report.text)
            return report.isGood ? .success : .failure
        }
    }

    private static func help(_ parser: OptionParser) -> String {
        """
        ClientTrial: how well does watchlink-explore find what is wrong in apps? It looks for the flaw of each flawed pair of ClientPairs
        until it has found it, makes the finding small, and looks at as many seeds of each correct pair. \
        It is good if at least \(TrialReport.fewestFoundPercent) % of the flaws are found,
        if half of the findings have at most \(TrialReport.mostDecisions) decisions left, and if no correct pair has a finding.

        Options:
        \(parser.help)

        Exit codes: 0 it is good, 1 it is not, or it could not be run, 2 wrong words.
        """
    }
}
