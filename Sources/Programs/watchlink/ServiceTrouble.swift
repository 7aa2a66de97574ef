import Configuration

/// Trouble reported in a service's status: failures of its databases, and injected trouble.
struct ServiceTrouble {
    let text: String
    let isGrave: Bool
    /// The arguments of the command that ends it; empty if there is none.
    let remedy: [String]

    /// Returns the trouble that was injected into the device.
    static func deliberate(in status: JSONValue) -> [ServiceTrouble] {
        (status["troubles"]?.array ?? []).map { trouble in
            ServiceTrouble(
                text: trouble["text"]?.string ?? "?", isGrave: trouble["grave"]?.boolean == true,
                remedy: trouble["remedy"]?.array?.compactMap(\.string) ?? [])
        }
    }

    /// Returns the failures of the databases since their last commit.
    static func databases(in status: JSONValue, isBrief: Bool = false) -> [ServiceTrouble] {
        let met = (status["databases"]?.array ?? []).compactMap { $0[isBrief ? "brief" : "trouble"]?.string }
        var states = ["database", "sessionDatabase"].compactMap { status[$0]?.string }
        // The applications beside the first one.
        if case .object(let others)? = status["applications"] {
            states += others.sorted { $0.key < $1.key }.compactMap { $0.value["database"]?.string }
        }
        let looks = states.filter { $0 != "available" }
        return (met.isEmpty ? looks : met).map { ServiceTrouble(text: $0, isGrave: true, remedy: []) }
    }

    /// Returns lines for a person: the state of the databases, and each trouble.
    static func rows(of status: JSONValue, isBrief: Bool = false) -> [(label: String, text: String)] {
        let databases = databases(in: status, isBrief: isBrief)
        let state = databases.isEmpty ? [("database", "available")] : databases.map { ("database", $0.text) }
        return state + deliberate(in: status).map { ("trouble", $0.text) }
    }
}
