/// A kind of trouble that may befall a device from time to time, as decided by the seed of its faults or, in virtual
/// time, by the world, where 0 means no trouble.
///
/// All of it can happen on a real device, so a correct app must tolerate it.
package enum DeviceHazard: String, CaseIterable, Sendable {
    /// The link is lost during a transmission and returns after seconds or up to a minute.
    case loss
    /// Some packages are delayed.
    case slowness
    /// Replies and acknowledgements are lost.
    case answers
    /// A received package is held back, and packages of other kinds overtake it.
    case deliveries
    /// The app receives content twice.
    case duplicates
    /// Another watch is worn for a while: the phone's session becomes inactive and must be reactivated.
    case switches
    /// The disk is full for seconds or minutes: no file can grow.
    case disk
    /// The wall clock is set forward or back: by a second, a minute, an hour, a day.
    case clock
    /// A kill can be a power cut, which loses what the app has not synchronized to the disk.
    case power

    /// The everyday hazards; the others are rare.
    package static let usual: [DeviceHazard] = [.loss, .slowness, .answers, .deliveries]

    /// The hazards caused by a session. The others surround the program and are caused by the controller of its world.
    package static let ofSession: [DeviceHazard] = usual + [.duplicates, .switches]
}
