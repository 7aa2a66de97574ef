import Foundation
import Locking

/// The process's names of classes in archives, both ways.
final class ClassNames: Sendable {
    static let shared = ClassNames()

    private struct Names {
        var archiveNames: [ObjectIdentifier: String] = [:]
        /// Names that were found rather than set, so that each class is asked once.
        var found: [ObjectIdentifier: String] = [:]
        var classes: [String: AnyClass] = [:]
    }

    private let names = Mutex(Names())

    func setArchiveName(_ name: String?, for cls: AnyClass) {
        names.withLock { $0.archiveNames[ObjectIdentifier(cls)] = name }
    }

    func archiveName(setFor cls: AnyClass) -> String? {
        names.withLock { $0.archiveNames[ObjectIdentifier(cls)] }
    }

    /// The name that was set, else the class's own stable name, else Foundation's name for it.
    func archiveName(of cls: AnyClass) -> String {
        let identity = ObjectIdentifier(cls)
        return names.withLock { names in
            if let name = names.archiveNames[identity] ?? names.found[identity] { return name }
            let name = (cls as? any ArchiveNaming.Type)?.archiveName ?? NSStringFromClass(cls)
            names.found[identity] = name
            return name
        }
    }

    func setClass(_ cls: AnyClass?, forArchiveName name: String) {
        names.withLock { $0.classes[name] = cls }
    }

    func cls(setForArchiveName name: String) -> AnyClass? {
        names.withLock { $0.classes[name] }
    }
}
