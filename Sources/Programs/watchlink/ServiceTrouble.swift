import Configuration

/// What a service's status says of trouble: with its databases, and that was made on purpose.
struct ServiceTrouble {
    let text: String
    let isGrave: Bool
    /// The words of the command that ends it; empty if there is none.
    let remedy: [String]

    /// What was done to the device.
    static func deliberate(in status: JSONValue) -> [ServiceTrouble] {
        (status["troubles"]?.array ?? []).map { trouble in
            ServiceTrouble(
                text: trouble["text"]?.string ?? "?", isGrave: trouble["grave"]?.boolean == true,
                remedy: trouble["remedy"]?.array?.compactMap(\.string) ?? [])
        }
    }

    /// What the databases met since their last commit.
    static func databases(in status: JSONValue, isBrief: Bool = false) -> [ServiceTrouble] {
        let met = (status["databases"]?.array ?? []).compactMap { $0[isBrief ? "brief" : "trouble"]?.string }
        let looks = ["database", "sessionDatabase"].compactMap { status[$0]?.string }.filter { $0 != "available" }
        return (met.isEmpty ? looks : met).map { ServiceTrouble(text: $0, isGrave: true, remedy: []) }
    }

    /// Lines for people: how the databases are, and each trouble.
    static func rows(of status: JSONValue, isBrief: Bool = false) -> [(label: String, text: String)] {
        let databases = databases(in: status, isBrief: isBrief)
        let state = databases.isEmpty ? [("database", "available")] : databases.map { ("database", $0.text) }
        return state + deliberate(in: status).map { ("trouble", $0.text) }
    }
}
