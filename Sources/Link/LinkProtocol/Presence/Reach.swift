import Foundation

/// The counterparts: the reported state of each, its reachability, and the state last sent to it.
///
/// Reachability is derived from these; each change is reported once.
struct Reach: Equatable, Sendable {
    /// This device from the point of view of one counterpart.
    struct Situation: Equatable, Sendable {
        /// The state that the device reports to this counterpart.
        let own: DeviceState
        let isActivated: Bool
    }

    /// The values that have changed; nil for those that have not.
    struct Change: Equatable, Sendable {
        /// The state to send to the counterpart.
        var told: DeviceState?
        var isReachable: Bool?
        /// True if transfers to it are possible.
        var takesTransfers: Bool?
    }

    private enum Counterpart: Equatable {
        case connected(told: DeviceState, isReachable: Bool, takesTransfers: Bool)
        /// Disconnected, but a fault on demand makes this side assume that it is reachable.
        case believed

        var isReachable: Bool {
            switch self {
            case .connected(_, let isReachable, _): isReachable
            case .believed: true
            }
        }

        var takesTransfers: Bool {
            switch self {
            case .connected(_, _, let takesTransfers): takesTransfers
            case .believed: false
            }
        }
    }

    private let role: DeviceRole
    /// The connected counterparts with the states that they reported.
    private(set) var peers: [IdentifierKey: DeviceState] = [:]
    private var counterparts: [IdentifierKey: Counterpart] = [:]
    /// The fault that falsifies the peer's reachability.
    var fault = ReachabilityFault()

    /// Creates an empty table.
    ///
    /// - Parameter role: The role of this side.
    init(_ role: DeviceRole) { self.role = role }

    /// The connected counterparts, and those that a fault makes this side believe in.
    var known: some Sequence<UUID> { counterparts.keys.lazy.map(\.identifier) }

    func isReachable(_ device: UUID) -> Bool { counterparts[device]?.isReachable == true }

    // MARK: - Events, each followed by settle(_:_:)

    /// Adds a counterpart.
    ///
    /// - Parameter said: The state that this side's hello contained.
    mutating func connected(_ device: UUID, _ state: DeviceState, said: DeviceState) {
        let former = counterparts[device]
        peers[device] = state
        counterparts[device] = .connected(
            told: said, isReachable: former?.isReachable ?? false, takesTransfers: former?.takesTransfers ?? false)
    }

    /// Removes a counterpart.
    ///
    /// - Returns: True if it was connected.
    mutating func disconnected(_ device: UUID) -> Bool { peers.removeValue(forKey: device) != nil }

    /// Replaces the state of a counterpart.
    ///
    /// - Returns: The previous state; nil if it is not connected.
    mutating func changed(_ device: UUID, _ state: DeviceState) -> DeviceState? {
        guard let former = peers[device] else { return nil }
        peers[device] = state
        return former
    }

    /// Recomputes the reachability of a device.
    mutating func settle(_ device: UUID, _ situation: Situation) -> Change {
        let (next, change) = settling(device, situation)
        counterparts[device] = next
        return change
    }

    // MARK: - Rules

    private func settling(_ device: UUID, _ situation: Situation) -> (Counterpart?, Change) {
        let former = counterparts[device]
        let wasReachable = former?.isReachable ?? false
        let didTakeTransfers = former?.takesTransfers ?? false
        var change = Change()
        guard let peer = peers[device], case .connected(let told, _, _) = former else {
            let isBelieved = wasReachable && fault.idea == .stale
            if wasReachable != isBelieved { change.isReachable = isBelieved }
            if didTakeTransfers { change.takesTransfers = false }
            return (isBelieved ? .believed : nil, change)
        }
        let (isLinked, isReachable) = standing(peer, situation, wasReachable: wasReachable)
        if told != situation.own { change.told = situation.own }
        if wasReachable != isReachable { change.isReachable = isReachable }
        if didTakeTransfers != isLinked { change.takesTransfers = isLinked }
        return (.connected(told: situation.own, isReachable: isReachable, takesTransfers: isLinked), change)
    }

    /// Apple's rules are asymmetric: the watch's app must be in the foreground for either side to reach the other; the
    /// phone's app need not even run, as a message wakes it.
    private func standing(
        _ peer: DeviceState, _ situation: Situation, wasReachable: Bool
    ) -> (isLinked: Bool, isReachable: Bool) {
        let (phone, watch) = role == .host ? (situation.own, peer) : (peer, situation.own)
        let isLinked = phone.serves && phone.isAppInstalled && watch.isAppInstalled && !phone.isLocked
        let isReachable =
            switch fault.idea {
            case .right: isLinked && watch.isInteractive && situation.isActivated
            case .stale: wasReachable
            case .always: true
            case .never: false
            }
        return (isLinked, isReachable)
    }
}
