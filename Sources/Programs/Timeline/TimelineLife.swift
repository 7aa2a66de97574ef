/// Whose life line it is: the phone's, or one watch's.
package struct TimelineLife: Sendable, Hashable {
    package let side: TimelineSide
    /// A watch's identifier; or, where that is not known, the place of its log, which begins with “/”, or nothing. Nil for the phone.
    package let watch: String?

    package init(_ side: TimelineSide, _ watch: String? = nil) {
        self.side = side
        self.watch = watch
    }
}
