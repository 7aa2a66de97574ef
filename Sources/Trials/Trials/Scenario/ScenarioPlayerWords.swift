package import ServiceRuntime

/// The words of `watchlink-scenario`, which the program and its manual page share.
package enum ScenarioPlayerWords {
    package static let purpose = "play a WatchLink scenario in virtual time"

    package static let options = [
        OptionDefinition(
            "directed", placeholder: "DIR", help: "the directory that the devices of “watchlink explore” share"),
        OptionDefinition("text", placeholder: "JSON5", help: "the contents of the scenario file"),
        OptionDefinition("file", placeholder: "FILE", help: "the scenario file's name, for messages"),
        OptionDefinition("seed", placeholder: "N", help: "the seed of random decisions; default: 1"),
        OptionDefinition("recorded", help: "the devices are recorded, and are asked to end when the scenario is over"),
        OptionDefinition("programs", help: "the devices are programs that import WatchConnectivity, not the services"),
    ]
}
