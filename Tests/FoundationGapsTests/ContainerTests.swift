import TestSupport
import Testing

@testable import FoundationGaps

@Suite("Containers of app groups")
struct ContainerTests {
    @Test("A container is in the home directory, under the group's name")
    func place() {
        let path = GroupContainer("group.scores", home: "/home/phone")?.url.path(percentEncoded: false)
        #expect(path == "/home/phone/Library/Group Containers/group.scores/")
    }

    @Test("Containers exist when they are returned")
    func creation() throws {
        let name = "group.watchlink.test.\(UUID().uuidString)"
        let container = try #require(FileManager.default.containerURL(forSecurityApplicationGroupIdentifier: name))
        defer { #expect(throws: Never.self) { try FileManager.default.removeItem(at: container) } }
        #expect(container.path(percentEncoded: false).hasPrefix(NSHomeDirectory()))
        try Data("1".utf8).write(to: container.appending(path: "score"))
        let again = FileManager.default.containerURL(forSecurityApplicationGroupIdentifier: name)
        #expect(again == container)
    }

    @Test(
        "There is no container outside of the folder of containers",
        arguments: ["", ".", "..", "a/b", "/", "a\0b", "../\u{301}"])
    func names(_ name: String) {
        #expect(FileManager.default.containerURL(forSecurityApplicationGroupIdentifier: name) == nil)
    }
}
