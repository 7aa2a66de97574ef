/// The parts of a former presence that observers compare with the present one.
///
/// Not the whole state machine: a copy of that shares its tables, which the next change would then have to copy.
package struct PresenceOutline: Equatable, Sendable {
    package let application: ApplicationState
    package let activation: Activation
    /// Watch: true if its phone was restarted and not yet unlocked.
    package let isPhoneLocked: Bool

    init(_ presence: PresenceStateMachine) {
        application = presence.own.application
        activation = presence.activation
        isPhoneLocked = presence.isPhoneLocked
    }
}
