import Foundation
import Locking

/// The process-wide mapping between classes and their names in archives.
final class ClassNames: Sendable {
    static let shared = ClassNames()

    private struct Names {
        var archiveNames: [ObjectIdentifier: String] = [:]
        /// The classes in `archiveNames`.
        var named: [ObjectIdentifier: AnyClass] = [:]
        /// The names that were derived rather than set, so that each is derived once.
        var found: [ObjectIdentifier: String] = [:]
        /// The names of each class and its ancestors, also derived once.
        var chains: [ObjectIdentifier: [String]] = [:]
        var readings: [ObjectIdentifier: Reading] = [:]
        var classes: [String: AnyClass] = [:]
    }

    private let names = Mutex(Names())

    func setArchiveName(_ name: String?, for cls: AnyClass) {
        names.withLock { names in
            names.archiveNames[ObjectIdentifier(cls)] = name
            names.named[ObjectIdentifier(cls)] = name == nil ? nil : cls
            names.chains = [:]
            names.readings = [:]
        }
    }

    func archiveName(setFor cls: AnyClass) -> String? {
        names.withLock { $0.archiveNames[ObjectIdentifier(cls)] }
    }

    /// Returns the name that was set for a class, else the class's own stable name, else Foundation's name for it.
    func archiveName(of cls: AnyClass) -> String {
        names.withLock { Self.archiveName(of: cls, &$0) }
    }

    /// Returns the archive names of a class and its ancestors, the most derived first and “NSObject” last.
    func chain(of cls: AnyClass) -> [String] {
        names.withLock { names in
            if let chain = names.chains[ObjectIdentifier(cls)] { return chain }
            let chain = Self.ancestors(of: cls).map { Self.archiveName(of: $0, &names) }
            names.chains[ObjectIdentifier(cls)] = chain
            return chain
        }
    }

    private static func archiveName(of cls: AnyClass, _ names: inout Names) -> String {
        let identity = ObjectIdentifier(cls)
        if let name = names.archiveNames[identity] ?? names.found[identity] { return name }
        let name = (cls as? any ArchiveNaming.Type)?.archiveName ?? Self.runtimeName(of: cls)
        names.found[identity] = name
        return name
    }

    /// Returns the result of `NSStringFromClass`, which traps for private classes and classes within functions: their
    /// names contain an address, which is omitted here. Foundation's own classes have no module name.
    private static func runtimeName(of cls: AnyClass) -> String {
        let parts = String(reflecting: cls).split(separator: ".").filter { !$0.hasPrefix("(unknown context") }
        return (parts.first == "Foundation" ? parts.dropFirst() : parts[...]).joined(separator: ".")
    }

    /// Returns a class and its ancestors up to `NSObject`.
    static func ancestors(of cls: AnyClass) -> [AnyClass] {
        var ancestors: [AnyClass] = []
        var next: AnyClass? = cls
        while let current = next, current != NSObject.self {
            ancestors.append(current)
            next = _getSuperclass(current)
        }
        return ancestors + [NSObject.self]
    }

    /// The properties of a class that matter for reading its objects.
    struct Reading {
        /// The name in archives.
        let name: String
        /// The class if it adopts `NSCoding`; otherwise nil.
        let coding: (any (NSObject & NSCoding).Type)?
        /// True for Foundation's own classes, which trap or loop forever on hostile archives.
        let isFoundations: Bool
    }

    func reading(_ cls: AnyClass) -> Reading {
        names.withLock { names in
            if let reading = names.readings[ObjectIdentifier(cls)] { return reading }
            let name = Self.archiveName(of: cls, &names)
            let reading = Reading(
                name: name, coding: cls as? any (NSObject & NSCoding).Type,
                isFoundations: !Self.runtimeName(of: cls).utf8.contains(UInt8(ascii: ".")))
            names.readings[ObjectIdentifier(cls)] = reading
            return reading
        }
    }

    func setClass(_ cls: AnyClass?, forArchiveName name: String) {
        names.withLock { $0.classes[name] = cls }
    }

    /// The classes that were set for names.
    var classes: [String: AnyClass] { names.withLock { $0.classes } }

    /// All classes with a name that was set, for writing or for reading.
    var named: [AnyClass] { names.withLock { Array($0.named.values) + Array($0.classes.values) } }

    func cls(setForArchiveName name: String) -> AnyClass? {
        names.withLock { $0.classes[name] }
    }
}
