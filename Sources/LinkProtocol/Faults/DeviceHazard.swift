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

    /// Those that an app meets every day; that it is given things twice is rare.
    package static let usual: [DeviceHazard] = [.loss, .slowness, .answers, .deliveries]
}
