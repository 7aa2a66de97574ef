/// Decides which faults at the application apply to an occasion, by rules and by chance.
package struct AppFaultStateMachine: Sendable {
    private var armed: [ArmedFault<AppFault>] = []
    private var chance: Chance
    /// The number of occasions to which a fault was applied.
    package private(set) var injectedCount = 0

    package init(_ chance: Chance) { self.chance = chance }

    package var faults: [AppFault] { armed.map(\.fault) }

    package mutating func add(_ fault: AppFault) { armed.append(ArmedFault(fault, fault.selection)) }

    package mutating func clear() { armed.removeAll() }

    /// Returns the first fault that applies to an occasion. Every fault counts the occasions that match it.
    package mutating func meet(_ occasion: AppFault.Occasion) -> AppFault? {
        var met: AppFault?
        for index in armed.indices where armed[index].fault.matches(occasion) {
            let fault = armed[index].fault
            guard armed[index].meets(isFree: met == nil, by: &chance, fault.event(occasion)) else { continue }
            injectedCount += 1
            met = fault
        }
        return met
    }
}
