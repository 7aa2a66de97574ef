import Configuration
import Foundation
import RoleCopies

/// The sources of an app that are adopted: folders and files, each for both devices or for one.
struct AppSources {
    /// The folders and files below `App`, in the order given.
    private(set) var parts: [AppPart] = []
    /// The paths below `App` that a device leaves out because they were named, or because they are the other device's.
    private var leftOut: [CopyRole: [String]] = [:]

    /// - Parameters:
    ///   - shared: The paths of folders and files of both devices.
    ///   - own: The paths of those of one device. A path inside of a shared folder is left out of the other device.
    ///   - leavingOut: The paths that no device compiles, on the disk or below `App`.
    init(_ shared: [String], own: [CopyRole: [String]], leavingOut: [String]) throws(CommandError) {
        for path in shared { parts.append(try AppPart(path, roles: CopyRole.allCases)) }
        var inner: [(role: CopyRole, part: AppPart)] = []
        for role in CopyRole.allCases {
            for path in own[role] ?? [] {
                let part = try AppPart(path, roles: [role])
                if parts.contains(where: { $0.roles.count > 1 && $0.relativePath(of: part.url) != nil }) {
                    inner.append((role, part))
                } else {
                    parts.append(part)
                }
            }
        }
        namePlaces()
        for (role, part) in inner {
            for other in CopyRole.allCases where other != role { try leaveOut(part.url.plainPath, of: [other]) }
        }
        for path in leavingOut { try leaveOut(path, of: CopyRole.allCases) }
    }

    /// Compares the sources of a device with what Linux has.
    func survey(_ role: CopyRole) throws(CommandError) -> LayerSurvey {
        var sources: [LayerSurvey.Source] = []
        let own = parts.filter { $0.roles.contains(role) }
        for part in own { sources += try part.sources() }
        let folders = own.filter(\.isFolder).map(\.url.lastPathComponent)
        return LayerSurvey(sources, role: role, modules: Set(folders), leavingOut: leftOut[role] ?? [])
    }

    /// Gives each part a name below `App`. A single folder is `App` itself.
    private mutating func namePlaces() {
        guard parts.count > 1 || parts.first?.isFolder == false else { return }
        var taken: Set<String> = []
        for number in parts.indices {
            let url = parts[number].url
            let last = String(url.lastPathComponent.drop { $0 == "." })
            let longer = "\(url.deletingLastPathComponent().lastPathComponent)-\(last)"
            let numbered = (2...).lazy.map { "\($0)-\(last)" }
            // There are fewer parts than numbers.
            let name = ([last, longer].first { !taken.contains($0) } ?? numbered.first { !taken.contains($0) }) ?? last
            taken.insert(name)
            parts[number].place = name
        }
    }

    private mutating func leaveOut(_ path: String, of roles: [CopyRole]) throws(CommandError) {
        let place = URL(filePath: path).resolvingSymlinksInPath()
        let plain = path.split(separator: "/").joined(separator: "/")
        for part in parts {
            let onDisk = part.relativePath(of: place).map(part.pathBelowApp)
            let below = [plain, onDisk].compactMap(\.self).first { wanted in
                !wanted.isEmpty
                    && part.names.contains { (part.pathBelowApp($0) + "/").hasPrefix(wanted + "/") }
            }
            if let below {
                for role in roles where part.roles.contains(role) { leftOut[role, default: []].append(below) }
                return
            }
        }
        throw CommandError(
            "--leave-out \(path): no source of the named folders is there; name a folder or a Swift file in them")
    }
}
