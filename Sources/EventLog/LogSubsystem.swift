/// Which part of a service speaks: each has a level of its own.
public enum LogSubsystem: String, CaseIterable, Sendable {
    case service
    case link
    case session
    case transfers
    case quizzes
    case databases
    case control
    case background

    /// Its place among all.
    var index: Int {
        switch self {
        case .service: 0
        case .link: 1
        case .session: 2
        case .transfers: 3
        case .quizzes: 4
        case .databases: 5
        case .control: 6
        case .background: 7
        }
    }
}
