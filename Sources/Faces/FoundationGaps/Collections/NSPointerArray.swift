public import Foundation

/// A list of references to objects that may be weak, and of which some may be nil.
///
/// On Apple's platforms a pointer can lead to anything; here it leads to an object.
open class NSPointerArray: NSObject {
    private let isWeak: Bool
    private var references: [ObjectReference] = []

    private init(isWeak: Bool) { self.isWeak = isWeak }

    /// Returns a list that retains its objects.
    open class func strongObjects() -> NSPointerArray { NSPointerArray(isWeak: false) }

    /// Returns a list whose objects become nil when nothing else retains them.
    open class func weakObjects() -> NSPointerArray { NSPointerArray(isWeak: true) }

    /// The number of pointers, those that are nil included.
    ///
    /// A smaller number removes the last pointers; a greater one adds pointers that are nil.
    open var count: Int {
        get { references.count }
        set {
            references.removeLast(max(references.count - newValue, 0))
            while references.count < newValue { references.append(reference(nil)) }
        }
    }

    /// The objects, without those that are nil.
    open var allObjects: [Any] { references.compactMap(\.object) }

    /// Returns a pointer to an object; nil if the object is gone.
    open func pointer(at index: Int) -> UnsafeMutableRawPointer? {
        references[index].object.map { Unmanaged.passUnretained($0).toOpaque() }
    }

    /// Appends a pointer to an object, or nil.
    open func addPointer(_ pointer: UnsafeMutableRawPointer?) { references.append(reference(pointer)) }

    /// Inserts a pointer to an object, or nil.
    open func insertPointer(_ item: UnsafeMutableRawPointer?, at index: Int) {
        references.insert(reference(item), at: index)
    }

    /// Replaces a pointer.
    open func replacePointer(at index: Int, withPointer item: UnsafeMutableRawPointer?) {
        references[index] = reference(item)
    }

    /// Removes a pointer.
    open func removePointer(at index: Int) { references.remove(at: index) }

    /// Removes the pointers that are nil, also if no nil was ever added.
    open func compact() { references.removeAll { $0.object == nil } }

    private func reference(_ pointer: UnsafeMutableRawPointer?) -> ObjectReference {
        let object = pointer.map { Unmanaged<AnyObject>.fromOpaque($0).takeUnretainedValue() }
        return isWeak ? .weak(object) : .strong(object)
    }
}
