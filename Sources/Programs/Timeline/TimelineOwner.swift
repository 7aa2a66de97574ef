/// The owner of a life line: the phone, or one watch.
package struct TimelineOwner: Sendable, Hashable {
    package let side: TimelineSide
    /// A watch's identifier; if unknown, the path of its log, which begins with “/”, or an empty text. Nil for the
    /// phone.
    package let watch: String?

    package init(_ side: TimelineSide, _ watch: String? = nil) {
        self.side = side
        self.watch = watch
    }
}
