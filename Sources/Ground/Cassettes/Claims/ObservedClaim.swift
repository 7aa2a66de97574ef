/// A sentence about the behaviour of WatchConnectivity, and what the app of one device has observed of it.
package struct ObservedClaim: Equatable, Sendable {
    /// The claim's name, such as “message.order”, and the device.
    package struct Key: Hashable, Sendable {
        package let id: String
        package let side: String

        package init(id: String, side: String) { (self.id, self.side) = (id, side) }
    }

    package enum Result: Hashable, Sendable {
        /// A short text that is the same in every run.
        case observed(String)
        /// The reason why it was not tried.
        case notTried(String)
    }

    package let key: Key
    /// The sentence.
    package let words: String
    package let result: Result

    package init(_ key: Key, words: String, _ result: Result) {
        (self.key, self.words, self.result) = (key, words, result)
    }
}
