/// An object with a publisher that sends before the object changes.
///
/// `objectWillChange` is supplied for every class; it sends before each change of a property that is marked
/// ``Published``. A class that declares the property itself sends itself.
public protocol ObservableObject: AnyObject {
    /// The type of the publisher.
    associatedtype ObjectWillChangePublisher: Publisher = ObservableObjectPublisher
    where ObjectWillChangePublisher.Failure == Never

    /// The publisher that sends before the object changes.
    var objectWillChange: ObjectWillChangePublisher { get }
}

extension ObservableObject where ObjectWillChangePublisher == ObservableObjectPublisher {
    /// The publisher that sends before the object changes: the same one for the life of the object.
    public var objectWillChange: ObservableObjectPublisher { ObservedObjects.all.publisher(of: self) }
}
