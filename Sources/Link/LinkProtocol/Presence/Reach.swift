import Foundation

/// The counterparts: how each that is connected says that it is, how it stands with this device, and what it was told.
///
/// How it stands is derived from all that is known; each difference is told once.
struct Reach: Sendable {
    /// What this device is to one counterpart.
    struct Situation: Equatable, Sendable {
        /// What the device says of itself to this counterpart.
        let own: DeviceState
        let isActivated: Bool
    }

    /// What is another than before; nil for what is not.
    struct Change: Equatable, Sendable {
        /// What to tell the counterpart of this device.
        var told: DeviceState?
        var isReachable: Bool?
        /// Whether transfers may go to it.
        var takesTransfers: Bool?
    }

    private enum Counterpart {
        case connected(told: DeviceState, isReachable: Bool, takesTransfers: Bool)
        /// It is gone, and a fault on demand makes this side believe that it can be reached.
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
    /// The counterparts that are connected, as they say they are.
    private(set) var peers: [UUID: DeviceState] = [:]
    private var counterparts: [UUID: Counterpart] = [:]
    /// How this side's idea of who is reachable goes wrong, on demand.
    var fault = ReachabilityFault()

    /// - Parameter role: This side's.
    init(_ role: DeviceRole) { self.role = role }

    func isReachable(_ device: UUID) -> Bool { counterparts[device]?.isReachable == true }

    // MARK: - Events, each followed by settling

    /// - Parameter said: What this side's hello told it.
    mutating func connected(_ device: UUID, _ state: DeviceState, said: DeviceState) {
        let former = counterparts[device]
        peers[device] = state
        counterparts[device] = .connected(
            told: said, isReachable: former?.isReachable ?? false, takesTransfers: former?.takesTransfers ?? false)
    }

    /// - Returns: Whether it was connected.
    mutating func disconnected(_ device: UUID) -> Bool { peers.removeValue(forKey: device) != nil }

    /// - Returns: How it was before; nil if it is not connected.
    mutating func changed(_ device: UUID, _ state: DeviceState) -> DeviceState? {
        guard let former = peers[device] else { return nil }
        peers[device] = state
        return former
    }

    /// Derives how a device stands now.
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

    /// Apple's rules are not symmetric: the watch's app must be in the foreground for either side to reach the other, the phone's
    /// need not even run, as a message wakes it.
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
