/// A delegate that is notified at the end of each batch of deliveries, to process them together.
package protocol RoundDelegate: WCSessionDelegate {
    /// Called on the delegate's queue.
    func sessionsDidEndRound()
}
