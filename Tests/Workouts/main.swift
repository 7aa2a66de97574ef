// The services of two applications: “Workouts host …” and “Workouts companion …”, with the options of the first one's.
import Foundation
import QuizSync
import WatchLinkServices

let words = Array(CommandLine.arguments.dropFirst())
do {
    let applications = [RecordApplication.quizzes, try RecordApplication(Workout.self)]
    switch words.first {
    case "host": ServiceProgram.host(applications, arguments: Array(words.dropFirst()))
    case "companion": ServiceProgram.companion(applications, arguments: Array(words.dropFirst()))
    default: FileHandle.standardError.write(Data("usage: Workouts host|companion …\n".utf8))
    }
} catch {
    FileHandle.standardError.write(Data("\(error)\n".utf8))
}
exit(64)
