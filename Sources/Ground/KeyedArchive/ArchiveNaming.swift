/// A class with a stable name in archives.
///
/// Without it a Swift class is archived as `Module.Class`, so that what one program writes another, whose module has a
/// different name, cannot read. The archiver and the unarchiver both use this name; `setClassName(_:for:)` overrides it.
public protocol ArchiveNaming: AnyObject {
    static var archiveName: String { get }
}
