import LinkProtocol

/// One action on the services, or with them.
enum TortureEvent: Equatable {
    /// Submits so many payloads in one batch.
    case submit(Int)
    case sendUserInfo(from: String)
    case sendContext(from: String)
    case sendFile(from: String)
    case condition(String, LinkCondition)
    case fault(String, FaultDeed)
    case deed(String, DeviceDeed)
    /// SIGKILL of an idle service.
    case kill(String)
    /// SIGKILL in the middle of the service's work from then on.
    case crash(String, step: Int)
    /// Starts a service that was killed, or is to crash and perhaps has not yet.
    case start(String)
}
