public import Foundation

/// A file that is being sent or was received.
open class WCSessionFile: NSObject {
    private let location: URL
    private let information: [String: Any]?

    init(fileURL: URL, metadata: [String: Any]?) {
        location = fileURL
        information = metadata
    }

    /// Creates an object without a file, for test doubles.
    public override init() {
        location = URL(filePath: "/dev/null")
        information = nil
    }

    /// The URL of the file. A received file exists until the delegate's method returns.
    open var fileURL: URL { location }
    /// The dictionary that was sent with the file, if any.
    open var metadata: [String: Any]? { information }
}
