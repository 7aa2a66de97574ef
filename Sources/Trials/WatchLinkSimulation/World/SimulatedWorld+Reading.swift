extension SimulatedWorld {
    /// A value read on one device, for checks on all devices.
    public struct Reading<Value: Codable & Sendable>: Sendable {
        let board: ReadingBoard
        let key: ReadingKey

        /// The value from the last instant at which its device had no work left; a kill does not change it. Nil before
        /// the first reading, and in the test's own process.
        public var value: Value? {
            do {
                return try board.value(key, as: Value.self)
            } catch {
                DeviceLife.fail("a reading of the \(key.device) could not be decoded: \(error)")
            }
        }
    }
}
