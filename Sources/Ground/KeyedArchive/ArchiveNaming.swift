/// A class with a stable name in archives.
///
/// Without it, a Swift class is archived as `Module.Class`, and a program whose module has a different name cannot read
/// it. The archiver and the unarchiver both use this name; `setClassName(_:for:)` overrides it.
public protocol ArchiveNaming: AnyObject {
    /// The name of the class in archives.
    static var archiveName: String { get }
}
