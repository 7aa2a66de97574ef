package import Foundation
package import Words

/// An action of a person on one of the phone's watches.
package struct WatchDeed: WordConvertible, Equatable {
    package enum Change: Equatable, Sendable {
        case switchTo
        case pair
        case unpair
        case install
        case uninstall
        /// The app's complication is added to or removed from the watch face.
        case complication(isEnabled: Bool)

        /// Creates a change from its verb.
        ///
        /// - Parameter isEnabled: The new state of a complication.
        /// - Returns: Nil if the verb is unknown.
        package init?(_ verb: String, isEnabled: Bool = true) {
            switch Verb(rawValue: verb) {
            case .switchTo: self = .switchTo
            case .pair: self = .pair
            case .unpair: self = .unpair
            case .install: self = .install
            case .uninstall: self = .uninstall
            case .complication: self = .complication(isEnabled: isEnabled)
            case nil: return nil
            }
        }

        package var verb: String {
            let verb: Verb =
                switch self {
                case .switchTo: .switchTo
                case .pair: .pair
                case .unpair: .unpair
                case .install: .install
                case .uninstall: .uninstall
                case .complication: .complication
                }
            return verb.rawValue
        }
    }

    private enum Verb: String, CaseIterable {
        case switchTo = "switch"
        case pair
        case unpair
        case install
        case uninstall
        case complication
    }

    /// The first words of all actions.
    package static let verbs = Verb.allCases.map(\.rawValue)

    package let change: Change
    package let watch: UUID

    package init(_ change: Change, of watch: UUID) { (self.change, self.watch) = (change, watch) }

    /// Creates an action from command words.
    ///
    /// - Parameter words: For example `pair 9B0C6E5E-3F0A-4C57-8E9B-1D2C3B4A5F60`, or `complication`, the identifier,
    ///   and `off`.
    package init(words: [String]) throws(WordError) {
        var reader = WordReader(words)
        let verb = try reader.choice("watches", among: Self.verbs)
        let subject = "watches \(verb)"
        guard let text = reader.next() else {
            throw .missing(subject: subject, allowed: ["the identifiers of “watchlink watches list”"])
        }
        watch = try WordValue.uuid(subject, text)
        let isEnabled =
            verb == Verb.complication.rawValue ? try reader.choice(verb, among: ["on", "off"]) == "on" : true
        guard let change = Change(verb, isEnabled: isEnabled) else {
            throw .unknown(verb, subject: "watches", allowed: Self.verbs)
        }
        self.change = change
        try reader.end(subject)
    }

    package var words: [String] {
        guard case .complication(let isEnabled) = change else { return [change.verb, watch.uuidString] }
        return [change.verb, watch.uuidString, isEnabled ? "on" : "off"]
    }
}
