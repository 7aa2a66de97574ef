import Configuration
import Foundation
import ServiceRuntime
import Trials

/// The place from which an adopting package takes WatchLink.
enum PackageReference: Equatable {
    case path(URL)
    case remote(String)

    static let option = OptionDefinition(
        "watchlink", placeholder: "URL|PATH",
        help: "WatchLink's repository or checkout; default: the checkout that this program was built in")

    /// - Parameter option: A path or a URL; nil for the checkout that contains this program.
    init(_ option: String?) throws(CommandError) {
        guard let option else {
            guard let checkout = Self.ownCheckout() else {
                throw CommandError(
                    "this program is in no checkout of WatchLink; name one, or its repository: "
                        + "--watchlink ../WatchLink, --watchlink https://example.org/WatchLink.git")
            }
            self = .path(checkout)
            return
        }
        if option.contains("://") || option.hasPrefix("git@") {
            self = .remote(option)
            return
        }
        let url = URL(filePath: option).resolvingSymlinksInPath()
        guard Self.isCheckout(url) else {
            throw CommandError(
                "--watchlink \(option): the folder does not contain the package WatchLink; name its folder or its URL")
        }
        self = .path(url)
    }

    /// The dependency in a manifest.
    ///
    /// - Parameter package: The adopting package's folder, from which a path is relative.
    func dependency(from package: URL) -> String {
        switch self {
        case .path(let url):
            ".package(name: \"WatchLink\", path: \(SwiftLiteral.text(url.relativePath(from: package))))"
        case .remote(let url): ".package(url: \(SwiftLiteral.text(url)), branch: \"main\")"
        }
    }

    /// The package's name in the products of targets.
    var name: String {
        switch self {
        case .path: return "WatchLink"
        case .remote(let url):
            let last = url.split { "/:".contains($0) }.last.map(String.init) ?? url
            return last.hasSuffix(".git") ? String(last.dropLast(4)) : last
        }
    }

    private static func ownCheckout() -> URL? {
        var folder = TrialServices.ownPrograms.resolvingSymlinksInPath()
        while folder.plainPath != "/" {
            if isCheckout(folder) { return folder }
            folder = folder.deletingLastPathComponent()
        }
        return nil
    }

    private static func isCheckout(_ folder: URL) -> Bool {
        let manifest = folder.appending(path: "Package.swift").plainPath
        // A folder without a readable manifest is not a package.
        guard let text = try? String(contentsOfFile: manifest, encoding: .utf8) else { return false }
        return text.contains("name: \"WatchLink\"")
    }
}
