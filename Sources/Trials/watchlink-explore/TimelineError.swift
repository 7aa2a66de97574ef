/// The error for a timeline without any event.
struct TimelineError: Error, CustomStringConvertible {
    let path: String

    var description: String {
        "\(path) was not written: no device wrote a log line; the programs' log level may be above “debug”"
    }
}
