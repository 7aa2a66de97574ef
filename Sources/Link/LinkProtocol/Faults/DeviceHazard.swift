/// Trouble that may come to a device now and then: as its faults' seed decides or, in a world of virtual time, the world, where a decision of 0 is
/// no trouble.
///
/// None of it is more than what an app meets on a device, so a correct app bears all of it.
package enum DeviceHazard: String, CaseIterable, Sendable {
    /// The link is lost in the middle of what is sent, and is back after seconds or a minute.
    case loss
    /// Some of what is sent comes late.
    case slowness
    /// Replies are lost, and so is the word that a transfer arrived.
    case answers
    /// Something that has come waits, and is overtaken by things of another kind.
    case deliveries
    /// The app is given things twice.
    case duplicates
    /// The phone is worn with another watch for a while: its session becomes inactive, and must be activated again.
    case switches
    /// The disk is full for some seconds or minutes: no file grows.
    case disk
    /// The clock that shows the time of day is set forward or back: by a second, a minute, an hour, a day.
    case clock

    /// Those that an app meets every day; the others are rare.
    package static let usual: [DeviceHazard] = [.loss, .slowness, .answers, .deliveries]

    /// Those that a session brings. The others are around the program, and come from who conducts its world.
    package static let ofSession: [DeviceHazard] = usual + [.duplicates, .switches]
}
