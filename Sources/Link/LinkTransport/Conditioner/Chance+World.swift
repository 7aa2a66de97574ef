import CLinux
package import LinkProtocol

extension Chance {
    /// The decisions of the world of virtual time that this process is in, or else a seed's.
    package static func ofProcess(seed: UInt64) -> Chance {
        guard watchlink_is_in_world() else { return Chance(seed: seed) }
        return Chance { question, subject, options, oneIn in
            subject.withCString { watchlink_choose_in_world($0, question.rawValue, options, oneIn) }
        }
    }
}
