import ExploreWords
import Foundation
import ServiceRuntime
import Trials

/// The build that is replayed against a cassette.
struct TestedBuild {
    /// The device whose app it is.
    let side: String
    /// The absolute path.
    let program: String
    let arguments: [String]

    init(_ options: ParsedOptions) throws(UsageError) {
        let given = ["phone", "watch"].filter(options.has)
        guard given.count == 1, let side = given.first, let text = options[side] else {
            throw UsageError("replay needs either --phone PROGRAM or --watch PROGRAM, the new build of one side")
        }
        let build = try SceneDevice.Build(text, of: "--\(side)")
        (self.side, program, arguments) = (side, build.program, build.arguments)
    }

    static func counterpart(of side: String) -> String { side == "phone" ? "watch" : "phone" }

    /// Returns the path of the program that plays the counterpart.
    static func player() throws(UsageError) -> String {
        let path = TrialServices.ownPrograms.appending(path: ExploreForm.counterpart).path(percentEncoded: false)
        guard FileManager.default.isExecutableFile(atPath: path) else {
            throw UsageError("\(path) is no program: build or install all programs of one version")
        }
        return path
    }
}
