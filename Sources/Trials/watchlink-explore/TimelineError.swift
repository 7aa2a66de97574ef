/// There is nothing to draw.
struct TimelineError: Error, CustomStringConvertible {
    let path: String

    var description: String {
        "\(path) was not written: no device wrote a line of a log; the programs' log level may be higher than “debug”"
    }
}
