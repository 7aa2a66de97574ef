import ExploreWords
import Foundation
import LinkProtocol
import ServiceRuntime
import Trials

/// The build that is replayed against a cassette.
struct TestedBuild {
    /// The device whose app it is.
    let side: String
    var role: DeviceRole { side == "phone" ? .host : .companion }
    /// The absolute path.
    let program: String
    let arguments: [String]
    /// The program with its arguments, as it was given.
    let title: String
    /// True for a service of WatchLink or of an application of one's own, which takes its device from a configuration.
    private(set) var isService = false
    /// The directory with the state that it starts with; nil to start with none.
    private(set) var state: String?
    /// The absolute path of the file that it is sent for each recorded one; nil for zeros.
    private(set) var file: String?

    init(_ options: ParsedOptions) throws(UsageError) {
        let given = ["phone", "watch"].filter(options.has)
        guard given.count == 1, let side = given.first, let text = options[side] else {
            throw UsageError("replay needs either --phone PROGRAM or --watch PROGRAM, the new build of one side")
        }
        try self.init(text, of: side, option: "--\(side)")
        isService = options.has("service")
        state = options["state"]
        file = try options["file"].map { path throws(UsageError) in
            let path = URL(filePath: path).standardizedFileURL.path(percentEncoded: false)
            guard FileManager.default.isReadableFile(atPath: path) else {
                throw UsageError("--file \(path) cannot be read")
            }
            return path
        }
    }

    /// Creates the build of a device from an option's text: a program with its arguments.
    init(_ text: String, of side: String, option: String) throws(UsageError) {
        let build = try SceneDevice.Build(text, of: option)
        (self.side, title, program, arguments) = (side, text, build.program, build.arguments)
    }

    /// Returns the build, to be started with a copy of a directory.
    func starting(with state: String) -> TestedBuild {
        var build = self
        build.state = state
        return build
    }

    /// Copies the state that it starts with, without the sockets that a killed program left in it.
    func copyState(to place: String) throws {
        guard let state else { return }
        let files = FileManager.default
        do {
            try Self.makeDirectory(place)
            for name in try files.subpathsOfDirectory(atPath: state).sorted() {
                let (from, to) = ("\(state)/\(name)", "\(place)/\(name)")
                switch try files.attributesOfItem(atPath: from)[.type] as? FileAttributeType {
                case .typeDirectory: try Self.makeDirectory(to)
                case .typeRegular, .typeSymbolicLink: try files.copyItem(atPath: from, toPath: to)
                default: break
                }
            }
        } catch {
            throw ReplayError.state(path: state, reason: (error as NSError).localizedDescription)
        }
    }

    private static func makeDirectory(_ path: String) throws {
        try FileManager.default.createDirectory(
            atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    }

    /// Returns the path of the program that plays the counterpart.
    static func player() throws(UsageError) -> String {
        let path = TrialServices.ownPrograms.appending(path: ExploreForm.counterpart).path(percentEncoded: false)
        guard FileManager.default.isExecutableFile(atPath: path) else {
            throw UsageError("\(path) is not a program: build or install all programs of one version")
        }
        return path
    }
}
