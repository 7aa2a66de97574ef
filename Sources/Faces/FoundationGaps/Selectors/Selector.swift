import Foundation

/// A method of a class, to be called on an object of the class that is known later.
///
/// On Apple's platforms, it is a name that the runtime of Objective-C looks up. Copies of `watchlink adopt` have
/// `Selector(A.changed(_:))` in place of `#selector(changed(_:))`.
// Proof of `@unchecked Sendable`: both properties are constant; the method is called where its caller calls the selector.
public struct Selector: @unchecked Sendable {
    private let name: String
    private let call: (_ target: AnyObject, _ argument: Any) -> Bool

    /// Makes a selector of a method that takes the notification, the timer or another sender.
    ///
    /// - Parameter method: The method as a function of its object, such as `A.changed(_:)`.
    public init<Target: AnyObject, Argument, Result>(_ method: @escaping (Target) -> (Argument) -> Result) {
        name = "\(Target.self) with a parameter of the type \(Argument.self)"
        call = { target, argument in
            // An optional parameter of another type gets nil: there, its methods would not be called safely either.
            guard let target = target as? Target,
                let argument = argument as? Argument ?? Any?.none as? Argument
            else { return false }
            _ = method(target)(argument)
            return true
        }
    }

    /// Makes a selector of a method without parameters.
    public init<Target: AnyObject, Result>(_ method: @escaping (Target) -> () -> Result) {
        name = "\(Target.self) without a parameter"
        call = { target, _ in
            guard let target = target as? Target else { return false }
            _ = method(target)()
            return true
        }
    }

    /// Calls the method of an object.
    func perform(on target: AnyObject, with argument: Any) {
        guard !call(target, argument) else { return }
        // On Apple's platforms, an unknown method is an exception, which ends the program, too.
        fatalError(
            "the selector is a method of \(name), and was given \(type(of: target)) with \(type(of: argument)); use a "
                + "method of the object's class, whose parameter is the notification or the timer")
    }
}
