import Foundation
import Testing

@testable import KeyedArchive

@Suite("Memory for archives")
struct ArchiveWorkspaceTests {
    @Test("Four small workspaces at most are kept for the next archives, emptied, and no large one")
    func pool() async {
        // In a process of its own, as all archivers of a process use one pool.
        await #expect(processExitsWith: .success) {
            let first = (0..<5).map { _ in ArchiveWorkspace.take() }
            for workspace in first { workspace.giveBack() }
            let second = (0..<5).map { _ in ArchiveWorkspace.take() }
            let kept = second.filter { workspace in first.contains { $0 === workspace } }.count
            precondition(kept == 4, "\(kept) workspaces were kept")

            let used = second[0]
            _ = used.table.add("text")
            used.objects.append(1)
            used.identities.insert(16, number: 1)
            used.types.append(ArchivedTypeInfo(TypeForm.of(Int.self)))
            used.stack.append(1)
            used.giveBack()
            let again = ArchiveWorkspace.take()
            precondition(again === used, "the workspace was not kept")
            precondition(again.table.count == 0, "\(again.table.count) objects")
            precondition(again.objects.count == 0, "\(again.objects.count) references")
            precondition(again.identities.number(of: 16) == nil, "a known identity")
            precondition(again.types.count == 0, "\(again.types.count) types")
            precondition(again.stack.count == 0, "\(again.stack.count) keys and values")
            precondition(again.valueClasses.count == ValueClass.allCases.count, "\(again.valueClasses.count) classes")

            _ = again.table.add(Data(count: 1 << 20))
            again.giveBack()
            let exact = ArchiveWorkspace.take()
            precondition(exact === again, "the workspace of exactly one mebibyte was not kept")
            _ = exact.table.add(Data(count: 1 << 20 + 1))
            exact.giveBack()
            let other = ArchiveWorkspace.take()
            precondition(other !== exact, "the larger workspace was kept")
        }
    }

    @Test("Objects that were archived are not kept afterwards")
    func released() throws {
        weak var course: Course?
        func write() throws {
            let object = Course(title: "Suppe")
            course = object
            _ = try archived([object, object])
        }
        try write()
        let isReleased = course == nil
        #expect(isReleased)
    }
}
