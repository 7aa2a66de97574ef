import Foundation

/// A server and what drives it, in processes of their own, with what was measured of them.
final class Contestant {
    let options: PeerOptions
    private let driver: String
    private let server: PeerProcess
    private let bytesAtRest: Double
    private var outcomes: [Outcome] = []

    /// - Parameters:
    ///   - name: The server's.
    ///   - driver: The driver's, if it has another.
    ///   - options: Those of all contestants; each has a socket of its own.
    init(_ name: String, drivenBy driver: String? = nil, _ options: PeerOptions, in folder: BenchFolder) throws {
        self.driver = driver ?? name
        var own = options
        own.socket = try folder.socket(name)
        (own.request, own.reply) = try LinkPeer.sizes()
        self.options = own
        server = try PeerProcess.serve(name, own)
        bytesAtRest = try ProcessFigures.residentBytes(server.identifier)
    }

    deinit { server.stop() }

    /// A sample of each in turn, over and over.
    static func race(_ contestants: [Contestant], rounds: Int) throws {
        for _ in 0..<rounds { for contestant in contestants { try contestant.drive() } }
    }

    /// Takes a sample.
    func drive() throws { outcomes.append(try PeerProcess.drive(driver, options)) }

    var outcome: Outcome { .median(outcomes) }

    /// Bytes of memory that the server took for each connection, at most.
    var bytesEach: Double {
        get throws {
            (try ProcessFigures.peakBytes(server.identifier) - bytesAtRest) / Double(options.connections)
        }
    }
}
