import CDisk
package import LinkProtocol

extension DiskFault {
    /// Why a fault could not be set.
    package struct Refused: Error, CustomStringConvertible {
        package let description: String
    }

    /// The number of the error (`errno`) that writing below a directory meets now; nil if there is no fault.
    package static func writeError(below directory: String) -> Int32? {
        let code = watchlink_disk_write_error(directory.hasSuffix("/") ? directory : directory + "/")
        return code == 0 ? nil : code
    }

    /// From now on the databases and received files below a directory meet this fault.
    ///
    /// - Parameters:
    ///   - directory: Absolute.
    ///   - writes: How many writes and syncs succeed before: what is left of a disk that is nearly full.
    /// - Throws: If the path is too long, or too many directories have faults.
    package func apply(to directory: String, after writes: Int = 0) throws(Refused) {
        // The databases below have names of their own behind a slash; that of a sibling must not match.
        let folder = directory.hasSuffix("/") ? directory : directory + "/"
        let number: watchlink_disk_fault =
            switch self {
            case .none: WATCHLINK_DISK_GOOD
            case .full: WATCHLINK_DISK_FULL
            case .error: WATCHLINK_DISK_ERROR
            case .readOnly: WATCHLINK_DISK_READ_ONLY
            }
        guard watchlink_disk_set_fault(folder, Int32(number.rawValue), Int64(writes)) == 0 else {
            throw Refused(description: "no more disk faults can be set, or \(directory) is too long a path")
        }
    }
}
