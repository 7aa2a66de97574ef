import Foundation
import TestSupport
import Testing

@Suite("The article's examples")
struct ExampleTests {
    @Test(
        "They are files that are compiled and run with the tests",
        arguments: ["SwiftTestingExample.swift", "XCTestExample.swift"])
    func compiled(_ name: String) throws {
        let article = try text("Sources/Device/WatchLinkTesting/WatchLinkTesting.docc/WatchLinkTesting.md")
        let example = try text("Tests/WatchLinkTestingTests/Examples/\(name)")
        let isShown = article.contains("```swift\n\(example)```")
        #expect(isShown, "the article does not show \(name) as it is")
    }

    private func text(_ path: String) throws -> String {
        try String(contentsOf: ProjectFiles.root.appending(path: path), encoding: .utf8)
    }
}
