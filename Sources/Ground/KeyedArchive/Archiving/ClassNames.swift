import Foundation
import Locking

/// The process's names of classes in archives, both ways.
final class ClassNames: Sendable {
    static let shared = ClassNames()

    private struct Names {
        var archiveNames: [ObjectIdentifier: String] = [:]
        /// The classes that have such a name.
        var named: [ObjectIdentifier: AnyClass] = [:]
        /// Names that were found rather than set, so that each class is asked once.
        var found: [ObjectIdentifier: String] = [:]
        /// A class's names and those of its ancestors, likewise.
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

    /// The name that was set, else the class's own stable name, else Foundation's name for it.
    func archiveName(of cls: AnyClass) -> String {
        names.withLock { Self.archiveName(of: cls, &$0) }
    }

    /// A class's archive names, the most derived first and “NSObject” last.
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

    /// What `NSStringFromClass` says, which traps for classes within functions and private ones: those have an address in their
    /// names, which is left out here. Foundation's own classes go without their module.
    private static func runtimeName(of cls: AnyClass) -> String {
        let parts = String(reflecting: cls).split(separator: ".").filter { !$0.hasPrefix("(unknown context") }
        return (parts.first == "Foundation" ? parts.dropFirst() : parts[...]).joined(separator: ".")
    }

    /// A class and those that it derives from, up to `NSObject`, which ends each chain.
    static func ancestors(of cls: AnyClass) -> [AnyClass] {
        var ancestors: [AnyClass] = []
        var next: AnyClass? = cls
        while let current = next, current != NSObject.self {
            ancestors.append(current)
            next = _getSuperclass(current)
        }
        return ancestors + [NSObject.self]
    }

    /// How objects of a class are read.
    struct Reading {
        /// What they are archived under.
        let name: String
        /// The class as one that reads archives; nil if it does not.
        let coding: (any (NSObject & NSCoding).Type)?
        /// Whether it is one of Foundation's own: those trap and loop on hostile archives.
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

    /// All classes that have a name that was set, either way.
    var named: [AnyClass] { names.withLock { Array($0.named.values) + Array($0.classes.values) } }

    func cls(setForArchiveName name: String) -> AnyClass? {
        names.withLock { $0.classes[name] }
    }
}
