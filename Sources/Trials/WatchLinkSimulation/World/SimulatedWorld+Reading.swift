extension SimulatedWorld {
    /// Something that is read on one device, for the checks of all.
    public struct Reading<Value: Codable & Sendable>: Sendable {
        let board: ReadingBoard
        let key: ReadingKey

        /// As it was when its device had last nothing left to do at an instant; of a device that was killed, before that. Nil before the first time,
        /// and in the test's own process.
        public var value: Value? {
            do {
                return try board.value(key, as: Value.self)
            } catch {
                DeviceLife.fail("what was read on the \(key.device) cannot be understood: \(error)")
            }
        }
    }
}
