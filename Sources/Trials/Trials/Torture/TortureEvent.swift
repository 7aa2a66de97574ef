import LinkProtocol

/// One thing that is done to the services, or with them.
enum TortureEvent: Equatable {
    /// So many quizzes are handed over at once.
    case submit(Int)
    case sendUserInfo(from: String)
    case sendContext(from: String)
    case sendFile(from: String)
    case condition(String, LinkCondition)
    case fault(String, FaultDeed)
    case deed(String, DeviceDeed)
    /// SIGKILL when nothing happens.
    case kill(String)
    /// SIGKILL in the midst of what the service does from then on.
    case crash(String, step: Int)
    /// A service that was killed, or is to crash and perhaps has not, begins anew.
    case start(String)
}
