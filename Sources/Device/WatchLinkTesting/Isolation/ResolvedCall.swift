/// A call of the application's code on a stack.
struct ResolvedCall: Sendable {
    /// The function's mangled name, if it is known.
    var name: String?
    var file: String?
    var line: Int?

    private static let own = ["$s17WatchConnectivity", "$s11DeviceShell"]
    /// Functions of the standard library that are compiled into programs, and the compiler's own thunks.
    private static let foreign = ["$ss", "$sS", "$sI", "$sx", "$s10Foundation", "$s8Dispatch"]

    /// True for the session's own code.
    var isOwn: Bool { name.map { name in Self.own.contains { name.hasPrefix($0) } } ?? false }

    /// True for a function that the application's author wrote.
    var isWritten: Bool {
        guard let name, !isOwn, !isWitness else { return false }
        if let line { return line > 0 }
        return name.hasPrefix("$s") && !Self.foreign.contains { name.hasPrefix($0) }
    }

    /// True for the compiler's function that calls a method of a delegate.
    var isWitness: Bool { name.map { $0.hasSuffix("TW") && $0.contains(Self.delegate) } ?? false }

    /// True for `assumeIsolated` of an actor.
    var isAssumption: Bool { name?.contains("14assumeIsolated") ?? false }

    private static let delegate = "17WatchConnectivity17WCSessionDelegateA"

    /// The part of a witness's name that names its type.
    var typePrefix: String? {
        guard isWitness, let name, let range = name.range(of: "17WatchConnectivity") else { return nil }
        return String(name[..<range.lowerBound])
    }
}
