public import Foundation

extension FileManager {
    /// Returns the directory that the programs of one device share as an app group, `Library/Group Containers` and the
    /// identifier in the home directory. It is created if necessary.
    ///
    /// - Returns: The directory; nil if the identifier is no name of a folder, or if the folder cannot be created.
    public func containerURL(forSecurityApplicationGroupIdentifier groupIdentifier: String) -> URL? {
        guard let container = GroupContainer(groupIdentifier) else { return nil }
        do {
            try createDirectory(at: container.url, withIntermediateDirectories: true)
        } catch {
            // Apple's method has no way to say why, either.
            return nil
        }
        return container.url
    }
}
