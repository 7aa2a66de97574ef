import Foundation

/// The rules of a recording: observations in, lines of a cassette out. No I/O, no clock; the only thing drawn by chance is
/// the key of the redactor that it is given.
package struct RecordingMachine: Sendable {
    /// The lines that an observation adds to a cassette.
    package struct Lines: Equatable, Sendable {
        /// The line for `events.jsonl`.
        package var event: String?
        /// The line for `contents.jsonl`, which must be written first.
        package var content: String?
    }

    /// The identity of a payload, by the hash of the standard library: it is much faster than that of tokens, and nobody
    /// sees it.
    private struct PayloadCode: Hashable, Sendable {
        let isPropertyList: Bool
        private let size: Int
        private let hash: Int

        init(_ payload: Payload) {
            (isPropertyList, size) = (payload.isPropertyList, payload.data.count)
            var hasher = Hasher()
            payload.data.withUnsafeBytes { hasher.combine(bytes: $0) }
            hash = hasher.finalize()
        }
    }

    /// The code of one of the latest payloads. The same bytes pass the app's call and the link: they are hashed once.
    private struct Seen: Sendable {
        /// Held, so that no other bytes are at its address.
        let payload: Payload
        let address: Int
        let code: PayloadCode
    }

    /// A kind of content: a call of a device.
    private struct Kind: Equatable, Sendable {
        let side: String
        let call: String

        var text: String { "\(side) \(call)" }
    }

    private struct Known: Sendable {
        var digest: String
        /// The kinds of content that the schema has learned it as: rarely more than two.
        var kinds: [Kind]
    }

    /// The number of payloads that are recognized by their place. 4: the bytes of a message and of its answer, twice.
    private static let mostSeen = 4
    /// The least bytes of a payload that is recognized by its place. 64: more than Foundation keeps in the value itself.
    private static let leastShared = 64

    /// The characters of an identifier in words.
    private static let identifierLength = 36

    private let redactor: Redactor
    /// The time of the start, in nanoseconds of the monotonic clock.
    private let start: Int64
    /// The time of the latest event. Those of packages have the time at which their loop's turn began, and several threads
    /// tell of events: in a cassette no event is earlier than the one before.
    private var latest: Int64
    private var causes = CauseTracker()
    private var threads: [UInt: Int] = [:]
    /// The latest payloads, by their hashes: a recording keeps no content.
    private var known: [PayloadCode: Known] = [:]
    private var seen: [Seen] = []
    private var digests: Set<String> = []
    private var contentBytes = 0
    package private(set) var manifest: CassetteManifest
    package private(set) var schema = CassetteSchema()

    package init(_ manifest: CassetteManifest, redactor: Redactor, start: Int64) {
        (self.manifest, self.redactor, self.start, latest) = (manifest, redactor, start, start)
    }

    // MARK: - Events

    /// Returns the lines of an observation; none if it is no event, or if the cassette is full.
    package mutating func take(_ observation: Observation) -> Lines {
        guard manifest.events < CassetteLimits.events else {
            lose(1, "a cassette has at most \(CassetteLimits.events) events")
            return Lines()
        }
        latest = max(latest, observation.time)
        var event = CassetteEvent(
            sequence: manifest.events + 1, time: (latest - start) / 1_000, side: observation.side,
            kind: observation.kind)
        var lines = Lines()
        if let payload = observation.payload {
            guard let (digest, line) = content(payload, observation) else { return Lines() }
            event.content = digest
            lines.content = line
        }
        manifest.events += 1
        // First, so that the device is known as one.
        let device = observation.device.map { causes.number(ofDevice: $0) }
        event.package = observation.package.map { causes.number(of: $0) }
        // The event of a device itself names it already.
        event.watch = device == event.package ? nil : device
        event.cause = causes.cause(of: observation, sequence: event.sequence)
        event.bytes = observation.bytes.map(RoundedSize.rounded)
        event.error = observation.error
        event.thread = thread(observation.thread)
        event.wantsReply = observation.wantsReply ? 1 : nil
        event.words = observation.words.map { words($0) }
        lines.event = event.line
        return lines
    }

    private mutating func thread(_ identifier: UInt) -> Int? {
        guard identifier != 0 else { return nil }
        if let number = threads[identifier] { return number }
        threads[identifier] = threads.count + 1
        return threads.count
    }

    /// Returns the words of an action with its identifiers as numbers.
    private mutating func words(_ text: String) -> String {
        guard text.utf8.count >= Self.identifierLength else { return text }
        let words = text.split(separator: " ").map { word in
            UUID(uuidString: String(word)).map { "#\(causes.number(ofDevice: $0))" } ?? String(word)
        }
        return String(words.joined(separator: " ").prefix(CassetteLimits.words))
    }

    // MARK: - Contents

    /// Returns the digest of a content, and its line if it is new; nil if there is no room for it.
    private mutating func content(_ payload: Payload, _ observation: Observation) -> (String, String?)? {
        // The packages of the link carry what the apps' calls pass.
        let kind = observation.isOfApp ? Kind(side: observation.side, call: observation.kind) : nil
        let code = code(of: payload)
        if let known = known[code], kind.map({ known.kinds.contains($0) }) ?? true { return (known.digest, nil) }
        let value = redactor.value(of: payload)
        let text = value.text
        let digest = RedactedValue.digest(of: text)
        var line: String?
        if digests.contains(digest) == false {
            let made = CassetteContent.line(
                digest: digest, bytes: RoundedSize.rounded(payload.data.count), text: text)
            let size = made.utf8.count
            guard size <= CassetteLimits.contentLine, contentBytes + size <= CassetteLimits.contentBytes else {
                lose(1, "its contents are too long for a cassette")
                return nil
            }
            contentBytes += size
            digests.insert(digest)
            manifest.contents += 1
            line = made
        }
        remember(code, digest, kind)
        if let kind { schema.learn(value, of: kind.text) }
        return (digest, line)
    }

    private mutating func code(of payload: Payload) -> PayloadCode {
        let data = payload.data
        // Shorter data has no bytes of its own in memory.
        guard data.count >= Self.leastShared else { return PayloadCode(payload) }
        let address = data.withUnsafeBytes { Int(bitPattern: $0.baseAddress) }
        let same = seen.first {
            $0.address == address && $0.payload.data.count == data.count
                && $0.code.isPropertyList == payload.isPropertyList
        }
        if let same { return same.code }
        let code = PayloadCode(payload)
        if seen.count == Self.mostSeen { seen.removeFirst() }
        seen.append(Seen(payload: payload, address: address, code: code))
        return code
    }

    private mutating func remember(_ code: PayloadCode, _ digest: String, _ kind: Kind?) {
        // Emptied rather than sorted by age: the next payloads fill it again.
        if known.count >= CassetteLimits.knownPayloads { known.removeAll(keepingCapacity: true) }
        // Its kind is new to it, or it is new itself.
        known[code, default: Known(digest: digest, kinds: [])].kinds += kind.map { [$0] } ?? []
    }

    // MARK: - The end

    /// Counts events that are not in the cassette.
    package mutating func lose(_ count: Int, _ reason: String) {
        manifest.lost += count
        manifest.reason = manifest.reason ?? reason
        causes.forgetCalls()
    }

    /// Ends the recording.
    ///
    /// - Parameters:
    ///   - written: The numbers of lines that are in the files.
    ///   - failure: The reason why lines are missing, if any.
    package mutating func finish(written: CassetteWriter.Written, failure: String?) {
        if manifest.events > written.events { lose(manifest.events - written.events, failure ?? "a write failed") }
        manifest.events = written.events
        manifest.contents = written.contents
        manifest.state = manifest.lost == 0 ? .complete : .incomplete
    }
}
