package import Configuration
package import EventLog

extension RecentEvents {
    /// Returns the latest events after a position, each as a JSON line of the log.
    package func report(_ params: JSONValue) -> JSONValue {
        let (records, count) = after(Int(params["after"]?.integer ?? 0))
        return ["place": .integer(Int64(count)), "lines": .array(records.map { .string(LogFormat.json.line($0)) })]
    }
}
