extension DeviceEvent {
    /// The parts of an event that only some events have.
    package enum Details: Sendable {
        case none
        case content(Content?, wantsReply: Bool = false)
        /// A file of a size.
        case file(Content?, bytes: Int)
        /// The raw value of a `WCError.Code`.
        case error(Int?)
        /// The words of an action, or a state.
        case words(String?)
    }
}
