import CLinux
package import LinkProtocol

extension Chance {
    /// Returns the decisions of the virtual-time world that contains this process, or else those of a seed.
    package static func ofProcess(seed: UInt64) -> Chance {
        guard watchlink_is_in_world() else { return Chance(seed: seed) }
        return Chance { question, subject, options, oneIn in
            subject.withCString { watchlink_choose_in_world($0, question.rawValue, options, oneIn) }
        }
    }
}
