/// The limits of a cassette. A recording that reaches one goes on without the rest, and is incomplete.
package enum CassetteLimits {
    /// The most events. 1,000,000: a day at ten a second, in about 100 MB.
    package static let events = 1_000_000
    /// The most bytes of all contents. 256 MiB: tens of thousands of the largest messages.
    package static let contentBytes = 256 * 1024 * 1024
    /// The longest line of a content in bytes. 16 MiB: the largest message, with a token for each of its values.
    package static let contentLine = 16 * 1024 * 1024
    /// The longest line of an event in bytes. 4 KiB: the words of an action are the only long part.
    package static let eventLine = 4 * 1024
    /// The longest words of an event in bytes. 512: those of the longest action are a tenth of it.
    package static let words = 512
    /// The longest manifest or schema in bytes. 16 MiB: a schema of all its paths has four.
    package static let document = 16 * 1024 * 1024
    /// The longest record of claims in bytes. 4 MiB: that of the probe has 40 KB.
    package static let claims = 4 * 1024 * 1024
    /// The most key paths of a schema. 4,096: more than the messages of any app have.
    package static let paths = 4_096
    /// The most messages and transfers whose events are connected with each other at a time. 65,536: later events of older
    /// ones have no cause.
    package static let openPackages = 65_536
    /// The most devices whose numbers are remembered for the whole recording. 10,000: as many watches as
    /// a phone knows; one that connects again after as many others can get another number.
    package static let devices = 10_000
    /// The time in which events are collected before they are written. 20 ms: waking the thread costs as much as many events, and
    /// no more than this is lost with a process that dies.
    package static let collecting: Duration = .milliseconds(20)
    /// The most payloads whose digests are remembered. 4,096: one that is sent again after as many others is only hashed
    /// again.
    package static let knownPayloads = 4_096
}
