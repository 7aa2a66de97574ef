import Foundation

/// An item that a closure needs, and whether it needs it alone.
struct ItemClaim {
    let url: URL
    let kind: WaitingFileLock.Kind

    init(_ url: URL, _ kind: WaitingFileLock.Kind) {
        self.url = url
        self.kind = kind
    }

    /// The item's place, which is the same for all names of the item.
    var path: String { url.standardizedFileURL.resolvingSymlinksInPath().path(percentEncoded: false) }
}
