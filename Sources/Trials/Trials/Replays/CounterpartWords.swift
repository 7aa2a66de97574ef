package import ServiceRuntime

/// The words of the program that is the counterpart of a replayed app, for it and for its manual page.
package enum CounterpartWords {
    package static let purpose = "play the counterpart of an app from a cassette"
    /// The option of real time, where no world ends the program.
    package static let leave = "leave"

    package static let options = [
        OptionDefinition("cassette", placeholder: "DIR", help: "the cassette"),
        OptionDefinition("side", placeholder: "NAME", help: "the device whose app is replayed: phone or watch"),
        OptionDefinition("watch", placeholder: "N", help: "the number of the watch that is played, of several"),
        OptionDefinition("control", placeholder: "SOCKET", help: "the control socket of that device"),
        OptionDefinition(leave, help: "end when everything has been played, as in real time"),
        OptionDefinition("file", placeholder: "FILE", help: "the file that is sent for each recorded one; else zeros"),
        OptionDefinition("event", placeholder: "N", help: "the event in which another value is played"),
        OptionDefinition("key-path", placeholder: "PATH", help: "its key path"),
        OptionDefinition("leaf", placeholder: "LEAF", help: "its type, “=” and the value, as in a cassette"),
    ]
}
