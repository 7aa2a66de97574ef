// The services of two applications: “Workouts host …” and “Workouts companion …”, with the options of the first one's.
import Foundation
import QuizSync
import RecordSync
import WatchLinkServices

let words = Array(CommandLine.arguments.dropFirst())
do {
    let applications = [RecordApplication.quizzes, try RecordApplication(Workout.self)]
    switch words.first {
    case "host": ServiceProgram.runHost(Array(words.dropFirst()), of: applications)
    case "companion": ServiceProgram.runCompanion(Array(words.dropFirst()), of: applications)
    default: FileHandle.standardError.write(Data("usage: Workouts host|companion …\n".utf8))
    }
} catch {
    FileHandle.standardError.write(Data("\(error)\n".utf8))
}
exit(64)
