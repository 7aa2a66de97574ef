import Foundation
import Locking

/// The archived form of a type's values. It is determined once per process: querying the runtime for conformances costs
/// more than writing a value.
// Proof of `@unchecked Sendable`: nothing changes after `init`, and the closures capture only the type.
final class TypeForm: @unchecked Sendable {
    enum Kind {
        /// The string, data or number itself, without an enclosing object.
        case inline
        /// Apple's form of one of Foundation's classes.
        case foundation
        /// The output of the class's `encode(with:)`.
        case coding(isSecure: Bool, (AnyObject, NSCoder) -> Void)
        /// A class without an archived form.
        case unsupportedClass
        /// A Swift collection, read at an address.
        case collection((UnsafeRawPointer, KeyedArchiver) -> KeyedArchiver.Reference?)
        /// Another Swift type.
        case other
    }

    let kind: Kind
    let isClass: Bool
    /// True if the type derives from `NSObject`: its objects may choose another class for archiving.
    let isNSObject: Bool

    private static let known = Mutex<[ObjectIdentifier: TypeForm]>([:])

    static func of(_ type: Any.Type) -> TypeForm {
        known.withLock { known in
            if let form = known[ObjectIdentifier(type)] { return form }
            let form = TypeForm(type)
            known[ObjectIdentifier(type)] = form
            return form
        }
    }

    private init(_ type: Any.Type) {
        isClass = type is AnyClass
        isNSObject = type is NSObject.Type
        if let cls = type as? AnyClass {
            kind = Self.kind(ofClass: cls)
        } else if let collection = type as? any ArchivableCollection.Type {
            kind = Self.collection(collection)
        } else {
            kind = .other
        }
    }

    private static func kind(ofClass cls: AnyClass) -> Kind {
        func inherits(_ ancestors: NSObject.Type...) -> Bool {
            ancestors.contains { (cls as? NSObject.Type)?.isSubclass(of: $0) == true }
        }
        if inherits(NSString.self), !inherits(NSMutableString.self) { return .inline }
        if inherits(NSData.self), !inherits(NSMutableData.self) { return .inline }
        if inherits(NSNumber.self), !inherits(NSDecimalNumber.self) { return .inline }
        if inherits(
            NSString.self, NSData.self, NSDecimalNumber.self, NSValue.self, NSArray.self, NSDictionary.self, NSSet.self,
            NSOrderedSet.self, NSIndexSet.self, NSDate.self, NSUUID.self, NSURL.self, NSNull.self)
        {
            return .foundation
        }
        guard let coding = cls as? any (AnyObject & NSCoding).Type else { return .unsupportedClass }
        return .coding(isSecure: (cls as? any NSSecureCoding.Type)?.supportsSecureCoding == true, encoder(coding))
    }

    private static func encoder<Coding: AnyObject & NSCoding>(
        _: Coding.Type
    ) -> (AnyObject, NSCoder) -> Void {
        { object, coder in unsafeDowncast(object, to: Coding.self).encode(with: coder) }
    }

    private static func collection<Collection: ArchivableCollection>(_: Collection.Type) -> Kind {
        .collection { address, archiver in
            address.assumingMemoryBound(to: Collection.self).pointee.archive(with: archiver)
        }
    }
}
