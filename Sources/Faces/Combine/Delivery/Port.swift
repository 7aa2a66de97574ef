/// One of the subscribers of a subject. Events are entered under the subject's lock, so that all subscribers receive
/// them in one order, and delivered without it.
protocol Port<Input, Failure>: AnyObject {
    associatedtype Input
    associatedtype Failure: Error

    /// Enters a value; delivers nothing.
    func enqueue(_ value: Input)
    /// Enters the end; delivers nothing.
    func enqueue(_ completion: Subscribers.Completion<Failure>)
    /// Delivers what was entered.
    func flush()
}

extension Outlet {
    typealias Input = Downstream.Input
    typealias Failure = Downstream.Failure
}
