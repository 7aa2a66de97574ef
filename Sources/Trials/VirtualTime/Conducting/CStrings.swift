import Glibc

/// Lists of C strings.
enum CStrings {
    /// Calls a closure with a null-terminated array of C strings.
    static func with<Result>(
        _ strings: [String], _ body: (UnsafePointer<UnsafeMutablePointer<CChar>?>) -> Result
    ) -> Result {
        // strdup returns nil when memory is exhausted: the list then ends there.
        var pointers = strings.map { strdup($0) } + [nil]
        defer { for pointer in pointers { free(pointer) } }
        return pointers.withUnsafeMutableBufferPointer { body(UnsafePointer($0.baseAddress.unsafelyUnwrapped)) }
    }
}
