import VirtualTime

extension SimulatedWorld {
    /// A device of a simulated test: a process of its own, with its own singletons, files and defaults.
    public struct Device: Sendable {
        let world: SimulatedWorld
        public let name: String
        let number: Int

        /// What a person, or the system, does with the device at a time of the world. A device that is off does nothing.
        public func at(_ time: Duration, _ action: @escaping Action) {
            declare(at: time) { $0.deeds.append((time, action)) }
        }

        /// Kills the process, as the system kills an app: at once and with no word (SIGKILL).
        public func kill(at time: Duration) { declare(at: time) { $0.powers.append((time, false)) } }

        /// Launches it again. It finds its files and defaults, and nothing else.
        public func start(at time: Duration) { declare(at: time) { $0.powers.append((time, true)) } }

        /// What must always hold on this device.
        public func always(_ check: @escaping Check) { declare { $0.always.append(check) } }

        /// What must hold on this device in the end.
        public func atEnd(_ check: @escaping Check) { declare { $0.atEnd.append(check) } }

        /// What must hold on this device at some time in at least one of all seeds.
        public func sometimes(_ name: String, _ condition: @escaping Condition) {
            declare { $0.sometimes.append((name, condition)) }
        }

        /// Something of this device that checks of every device may use: it is read whenever the device has nothing left to do at an instant.
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
