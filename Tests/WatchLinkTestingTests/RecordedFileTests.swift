import Foundation
import TestSupport
import Testing
import WatchLinkTesting

/// Files that are given to a delegate's method without a link.
@Suite("Files that a recording delegate keeps")
struct RecordedFileTests {
    private final class File: WCSessionFile {
        private let place: URL

        init(_ place: URL) {
            self.place = place
            super.init()
        }

        override var fileURL: URL { place }
        override var metadata: [String: Any]? { ["n": 1] }
    }

    private let scratch: Scratch
    private let pair: SimulatedPair

    init() throws {
        scratch = try Scratch()
        pair = try SimulatedPair()
    }

    @Test("One that cannot be kept is noted where it was, with its metadata and the error")
    func absent() throws {
        let delegate = RecordingDelegate()
        let place = URL(filePath: scratch.path("absent"))
        delegate.session(pair.phone.session, didReceive: File(place))
        let file = try #require(delegate.all(.file).first)
        #expect(file.error != nil)
        #expect(file.fileURL == place)
        #expect(file.metadata?["n"] as? Int == 1)
    }

    /// Gives a delegate two files of one name, and returns the places where it keeps them.
    private func keptPlaces() throws -> [URL] {
        let delegate = RecordingDelegate()
        for text in ["one", "two"] {
            let file = File(URL(filePath: try scratch.write("file", text)))
            delegate.session(pair.phone.session, didReceive: file)
        }
        let files = delegate.all(.file)
        let texts = try files.map { try String(contentsOf: $0.fileURL, encoding: .utf8) }
        #expect(texts == ["one", "two"])
        return files.map(\.fileURL)
    }

    @Test("Files of one name are kept apart, and go with the delegate")
    func kept() throws {
        let places = try keptPlaces()
        #expect(places.count == 2)
        for place in places {
            #expect(place.lastPathComponent == "file")
            #expect(!FileManager.default.fileExists(atPath: place.path), "\(place)")
        }
    }
}
