public import Foundation

/// A file that is sent or was received.
open class WCSessionFile: NSObject {
    private let location: URL
    private let information: [String: Any]?

    init(fileURL: URL, metadata: [String: Any]?) {
        location = fileURL
        information = metadata
    }

    /// No file: for test doubles.
    public override init() {
        location = URL(filePath: "/dev/null")
        information = nil
    }

    /// Of a received file: where it lies until the delegate's method returns.
    open var fileURL: URL { location }
    open var metadata: [String: Any]? { information }
}
