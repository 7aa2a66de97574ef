import Foundation

/// A server and its driver, in separate processes, with their measurements.
final class MeasuredServer {
    let options: PeerOptions
    private let driver: String
    private let server: PeerProcess
    private let bytesAtRest: Double
    private var outcomes: [Outcome] = []

    /// - Parameters:
    ///   - name: The name of the server.
    ///   - driver: The name of the driver, if it differs.
    ///   - options: The options of all servers; each gets its own socket.
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

    /// Takes samples of all servers in turn.
    static func race(_ servers: [MeasuredServer], rounds: Int) throws {
        for _ in 0..<rounds { for server in servers { try server.drive() } }
    }

    /// Takes a sample.
    func drive() throws { outcomes.append(try sample()) }

    /// Takes a sample, and returns it.
    func sample() throws -> Outcome { try PeerProcess.drive(driver, options) }

    var outcome: Outcome { .median(outcomes) }

    /// The peak memory of the server per connection, in bytes.
    var bytesEach: Double {
        get throws {
            (try ProcessFigures.peakBytes(server.identifier) - bytesAtRest) / Double(options.connections)
        }
    }
}
