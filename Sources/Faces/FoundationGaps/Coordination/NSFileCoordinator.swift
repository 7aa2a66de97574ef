public import Foundation
import Locking

/// Coordinates the programs of a device, and the threads of each, that read or write the same file or folder.
///
/// Readers have it together, a writer alone. Those of one coordinator do not wait for each other, as on Apple's platforms.
/// Here, only the very same item counts: who writes a folder does not wait for those who read what is in it.
open class NSFileCoordinator: NSObject {
    private let claims: ItemClaims

    /// Creates a coordinator. There are no file presenters: only nil can be given.
    public init(filePresenter: Never? = nil) { claims = ItemClaims() }

    /// Creates a coordinator whose locks are in a home directory.
    package init(home: String) { claims = ItemClaims(home: home) }

    /// Calls a closure that reads an item, after those that write it.
    ///
    /// - Parameters:
    ///   - url: The file or the folder, which need not exist.
    ///   - options: They change nothing: without presenters, nobody saves changes first.
    ///   - outError: Receives the error if the closure is not called.
    ///   - reader: The closure that reads. It is called before this method returns.
    open func coordinate(
        readingItemAt url: URL, options: ReadingOptions = [], error outError: NSErrorPointer,
        byAccessor reader: (URL) -> Void
    ) {
        claims.during([ItemClaim(url, .shared)], outError) { reader($0[0]) }
    }

    /// Calls a closure that writes an item, after those that read or write it.
    ///
    /// - Parameters:
    ///   - url: The file or the folder, which need not exist.
    ///   - options: They change nothing: without presenters, nobody is told.
    ///   - outError: Receives the error if the closure is not called.
    ///   - writer: The closure that writes. It is called before this method returns.
    open func coordinate(
        writingItemAt url: URL, options: WritingOptions = [], error outError: NSErrorPointer,
        byAccessor writer: (URL) -> Void
    ) {
        claims.during([ItemClaim(url, .exclusive)], outError) { writer($0[0]) }
    }

    /// Calls a closure that reads one item and writes another, such as to move it.
    open func coordinate(
        readingItemAt readingURL: URL, options readingOptions: ReadingOptions = [], writingItemAt writingURL: URL,
        options writingOptions: WritingOptions = [], error outError: NSErrorPointer,
        byAccessor readerWriter: (URL, URL) -> Void
    ) {
        claims.during([ItemClaim(readingURL, .shared), ItemClaim(writingURL, .exclusive)], outError) {
            readerWriter($0[0], $0[1])
        }
    }

    /// Calls a closure that writes two items.
    open func coordinate(
        writingItemAt url1: URL, options options1: WritingOptions = [], writingItemAt url2: URL,
        options options2: WritingOptions = [], error outError: NSErrorPointer, byAccessor writer: (URL, URL) -> Void
    ) {
        claims.during([ItemClaim(url1, .exclusive), ItemClaim(url2, .exclusive)], outError) { writer($0[0], $0[1]) }
    }
}
