import ExploreWords
import Processes
import ServiceRuntime
import Services
import Trials

/// The pages of the programs that `watchlink` starts for trials.
extension ManualPage {
    static let explore = ManualPage(
        ExploreForm.program, 1, "run the programs of a phone and a watch in virtual time, by seed"
    ) { roff in
        roff.heading("SYNOPSIS")
        roff.example(ExploreForm.calls.map { "watchlink \($0.words)" })
        roff.heading("DESCRIPTION")
        roff.paragraph("“watchlink explore” starts this program, and takes the same words and options.")
        roff.paragraph(ExploreForm.about)
        roff.heading("FORMS")
        for form in ExploreForm.calls { roff.item("watchlink \(form.words)", form.meaning) }
        options(ExploreForm.programGroups, &roff)
        roff.heading("EXAMPLES")
        for example in ExploreForm.examples { roff.item("watchlink \(example.words)", example.meaning) }
    }

    static let scenario = ManualPage(ExploreForm.player, 1, ScenarioPlayerWords.purpose) { roff in
        roff.heading("SYNOPSIS")
        roff.example(["\(ExploreForm.player) --directed DIR --text JSON5 --file FILE [OPTIONS]"])
        roff.heading("DESCRIPTION")
        roff.paragraph(
            "This program acts in the devices' virtual time. “watchlink scenario run --virtual” and “watchlink explore --script” start it."
        )
        options(ScenarioPlayerWords.options, &roff)
        roff.exitCodes([.success, .failure, .usage])
    }

    static let torture = ManualPage(ExploreForm.torture, 1, TortureWords.purpose) { roff in
        roff.heading("SYNOPSIS")
        roff.example(["\(ExploreForm.torture) [OPTIONS]"])
        roff.heading("DESCRIPTION")
        roff.paragraph(
            "This program starts the real services, gives them work, kills them or fails their disk in the middle of it, restarts them, and checks databases, outbox and ledgers. A failed run prints the seed that repeats it."
        )
        options(TortureWords.options, &roff)
        roff.exitCodes([.success, .failure, .usage])
    }

    static let counterpart = ManualPage(ExploreForm.counterpart, 1, CounterpartWords.purpose) { roff in
        roff.heading("SYNOPSIS")
        roff.example(["\(ExploreForm.counterpart) --cassette DIR --side NAME --control SOCKET"])
        roff.heading("DESCRIPTION")
        roff.paragraph(
            "This program acts in the virtual time of the app that is replayed, or beside it in real time. “watchlink replay”, “watchlink skew” and “watchlink lint” start it."
        )
        options(CounterpartWords.options, &roff)
        roff.exitCodes([.success, .failure, .usage])
    }

    /// Writes a program's own options and those of all such programs.
    private static func options(_ own: [OptionDefinition], _ roff: inout Roff) {
        roff.heading("OPTIONS")
        for option in own + ToolProgram.common { roff.option(option) }
    }

    /// Writes options by group.
    private static func options(_ groups: [OptionGroup], _ roff: inout Roff) {
        roff.heading("OPTIONS")
        for group in groups {
            roff.subheading(group.title)
            for option in group.options { roff.option(option) }
        }
    }
}
