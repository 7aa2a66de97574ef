/// A delegate that wants to know when all that came together has been given to it: to act on it together.
package protocol RoundDelegate: WCSessionDelegate {
    /// On the delegate's queue.
    func sessionsDidEndRound()
}
