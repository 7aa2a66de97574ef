import Foundation

/// A copy of a recorded directory, with the modes that the services set: a checkout has other modes.
enum PrivateCopy {
    static func makePrivate(_ folder: String) throws {
        let manager = FileManager.default
        try manager.setAttributes([.posixPermissions: 0o700], ofItemAtPath: folder)
        for name in try manager.subpathsOfDirectory(atPath: folder) {
            let path = folder + "/" + name
            var isFolder: ObjCBool = false
            _ = manager.fileExists(atPath: path, isDirectory: &isFolder)
            try manager.setAttributes([.posixPermissions: isFolder.boolValue ? 0o700 : 0o600], ofItemAtPath: path)
        }
    }
}
