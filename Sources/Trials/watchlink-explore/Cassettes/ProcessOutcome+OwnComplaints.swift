import LinkProtocol
import VirtualTime

extension ProcessOutcome {
    /// The program's complaints, but for those about a call of its delegate that does not return, which is told as a deadlock.
    var ownComplaints: [ComplaintWord] { complaints.filter { CallWatch.finding(in: [$0.line]) == nil } }
}
