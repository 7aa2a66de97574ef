import Foundation
import RoleCopies

extension AdoptedPackage {
    /// Refuses a place that would make the app's folder endless.
    ///
    /// - Parameter path: The folder as the user named it.
    static func check(_ package: URL, for app: AppSources, _ path: String) throws(CommandError) {
        guard app.parts.allSatisfy({ $0.relativePath(of: package) == nil }) else {
            throw CommandError(
                "--into \(path): the package would be inside of the app's folder, to which it links; name a folder beside it"
            )
        }
    }

    func write(to package: URL) throws(CommandError) {
        let all = CopyRole.allCases.flatMap { self.links(of: $0).map { (path: $0.key, place: $0.value) } }
        try PackageWriter.write(files(in: package), links: all, to: package)
    }
}
