/// The files of a cassette's directory.
package enum CassetteFile {
    package static let manifest = "manifest.json"
    package static let events = "events.jsonl"
    package static let contents = "contents.jsonl"
    package static let schema = "schema.json"
    /// The beginning of the names of directories with accepted courses; the side follows.
    package static let accepted = "accepted-"

    package static let all = [manifest, events, contents, schema]
}
