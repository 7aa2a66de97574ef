import CDisk
package import LinkProtocol

extension DiskFault {
    /// The error for a fault that could not be set.
    package struct Refused: Error, CustomStringConvertible {
        package let description: String
    }

    /// Returns the error number (`errno`) that writes below a directory fail with now; nil if there is no fault.
    package static func writeError(below directory: String) -> Int32? {
        let code = watchlink_disk_write_error(directory.hasSuffix("/") ? directory : directory + "/")
        return code == 0 ? nil : code
    }

    /// Injects this fault into the databases and received files below a directory.
    ///
    /// - Parameters:
    ///   - directory: An absolute path.
    ///   - writes: The number of writes and syncs that still succeed, as on a disk that is nearly full.
    /// - Throws: ``Refused`` if the path is too long, or too many directories have faults.
    package func apply(to directory: String, after writes: Int = 0) throws(Refused) {
        // Ends with a slash, so that a sibling with the same prefix does not match.
        let folder = directory.hasSuffix("/") ? directory : directory + "/"
        let number: watchlink_disk_fault =
            switch self {
            case .none: WATCHLINK_DISK_GOOD
            case .full: WATCHLINK_DISK_FULL
            case .error: WATCHLINK_DISK_ERROR
            case .readOnly: WATCHLINK_DISK_READ_ONLY
            }
        guard watchlink_disk_set_fault(folder, Int32(number.rawValue), Int64(writes)) == 0 else {
            throw Refused(
                description:
                    "no disk fault set for \(directory): the path is too long, or too many directories have faults")
        }
    }
}
