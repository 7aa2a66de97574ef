import Configuration
import Foundation
import Processes
import ServiceRuntime
import Services

/// The migration of records between the host's database and another one.
extension RecordAdministration {
    static let migrationDirections = ["to", "from"]

    func migrate() throws -> ExitCode {
        let direction = invocation.words[1]
        let result = try longWork(
            "migrate", "\(application.plural) copied and verified", [direction: place(invocation.words[2])])
        let isComplete = result["isComplete"]?.boolean == true
        try answer(result, text(result, isComplete: isComplete))
        return isComplete ? .success : .failure
    }

    private func place(_ word: String) -> JSONValue {
        func path(_ name: String) -> JSONValue {
            .string(URL(filePath: name).standardizedFileURL.path(percentEncoded: false))
        }
        // A mistyped URL is one, too: the host says what is wrong with it.
        guard word.contains("://") else { return ["file": path(word)] }
        var place: [String: JSONValue] = ["url": .string(word)]
        if let passfile = invocation.options["passfile"] { place["passfile"] = path(passfile) }
        return .object(place)
    }

    private func text(_ result: JSONValue, isComplete: Bool) -> String {
        func number(_ key: String) -> Int64 { result[key]?.integer ?? 0 }
        var lines = [
            "\(application.plural): \(number("copied")) copied, \(number("changed")) changed, "
                + "\(number("deleted")) deletions copied, \(number("present")) were there",
            "\(number("verified")) verified by SHA-256; \(number("inSource")) in the source, "
                + "\(number("inTarget")) in the target",
        ]
        for (key, meaning) in [
            ("newerInTarget", "were changed later in the target, and stay so"),
            ("deletedInTarget", "were deleted in the target, and stay so"),
            ("onlyInTarget", "are only in the target"),
            ("unverified", "were not found in the target afterwards; migrate again"),
        ] where number(key) > 0 {
            lines.append("\(number(key)) \(meaning)")
        }
        if number("conflictCount") > 0 {
            let shown = result["conflicts"]?.array?.compactMap(\.string) ?? []
            lines.append(
                "\(number("conflictCount")) have other content in the target, which stays: "
                    + shown.joined(separator: ", "))
        }
        return lines.joined(separator: "\n")
    }
}
