package import ServiceRuntime

/// The words of `watchlink-torture`, which the program and its manual page share.
package enum TortureWords {
    package static let purpose = "kill WatchLink's services, and check that nothing is lost"

    package static let options =
        [
            OptionDefinition("rounds", placeholder: "N", help: "number of rounds; default 25"),
            OptionDefinition("seed", placeholder: "S", help: "decides the faults; default: random, and printed"),
            OptionDefinition("verbose", help: "print the services' logs as well"),
            OptionDefinition(
                "directed", placeholder: "DIR",
                help: "run in DIR for hours of virtual time instead of rounds; used by “watchlink-explore services”"),
        ] + TrialSubject.options + TortureExtent.options
}
