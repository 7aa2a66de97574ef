import Foundation
import Glibc

extension Error {
    /// The error as a program reports it: its description; for an error of Foundation, which describes itself with its
    /// whole dictionary, the file and the cause.
    package var report: String {
        guard let error = self as? CocoaError else { return "\(self)" }
        let cause = (error.underlying as? POSIXError).map { String(cString: strerror($0.code.rawValue)) }
        return (error.filePath.map { "\($0): " } ?? "") + (cause ?? error.localizedDescription)
    }
}
