import VirtualTime

extension SimulatedWorld {
    /// A device of a simulated test: a separate process with its own singletons, files and defaults.
    public struct Device: Sendable {
        let world: SimulatedWorld
        /// The name, which is unique in the world.
        public let name: String
        let number: Int

        /// Declares an action of a person or the system, at a time of the world. It is skipped while the device is off.
        public func at(_ time: Duration, _ action: @escaping Action) {
            declare(at: time) { $0.deeds.append((time, action)) }
        }

        /// Kills the process, as the system kills an app: immediately and without notice (SIGKILL).
        public func kill(at time: Duration) { declare(at: time) { $0.powers.append((time, false)) } }

        /// Launches the process again. It has its files and defaults, and nothing else.
        public func start(at time: Duration) { declare(at: time) { $0.powers.append((time, true)) } }

        /// Declares a check that must always hold on this device.
        public func always(_ check: @escaping Check) { declare { $0.always.append(check) } }

        /// Declares a check that must hold on this device at the end.
        public func atEnd(_ check: @escaping Check) { declare { $0.atEnd.append(check) } }

        /// Declares a condition that must hold on this device at some time in at least one seed.
        public func sometimes(_ name: String, _ condition: @escaping Condition) {
            declare { $0.sometimes.append((name, condition)) }
        }

        /// Declares a value for checks of all devices; it is read whenever this device has no work left at an instant.
        public func reading<Value: Codable & Sendable>(
            _ read: @escaping @Sendable @MainActor () throws -> Value
        ) -> Reading<Value> {
            let index = declare { device in
                device.readings.append(ReadingDeclaration(read))
                return device.readings.count - 1
            }
            return Reading(board: world.board, key: ReadingKey(device: name, index: index))
        }

        @discardableResult
        private func declare<Result: Sendable>(
            at time: Duration? = nil, _ body: (inout DeviceDeclaration) -> Result
        ) -> Result {
            world.declare { declarations in
                if let time, time < .zero || time > world.duration {
                    declarations.error = declarations.error ?? .time(time, of: name, duration: world.duration)
                }
                return body(&declarations.devices[number])
            }
        }
    }
}
