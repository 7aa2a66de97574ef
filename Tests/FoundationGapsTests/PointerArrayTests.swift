import FoundationGaps
import Testing

@Suite("Arrays of pointers")
struct PointerArrayTests {
    private func pointer(_ object: AnyObject) -> UnsafeMutableRawPointer { Unmanaged.passUnretained(object).toOpaque() }

    @Test("Weak pointers become nil with their objects, and are removed by compact")
    func weak() {
        let array = NSPointerArray.weakObjects()
        let kept = NSObject()
        do {
            let lost = NSObject()
            array.addPointer(pointer(lost))
            array.addPointer(pointer(kept))
            array.addPointer(nil)
            withExtendedLifetime(lost) { #expect(array.allObjects.count == 2) }
        }
        #expect(array.count == 3)
        #expect(array.pointer(at: 0) == nil)
        array.compact()
        #expect(array.count == 1)
        #expect(array.pointer(at: 0) == pointer(kept))
    }

    @Test("Strong pointers retain their objects")
    func strong() {
        let array = NSPointerArray.strongObjects()
        do {
            let object = NSObject()
            array.addPointer(pointer(object))
        }
        array.compact()
        #expect(array.count == 1)
    }

    @Test("Pointers are inserted, replaced, removed, and counted")
    func changes() {
        let objects = (0..<3).map { _ in NSObject() }
        let array = NSPointerArray.weakObjects()
        array.addPointer(pointer(objects[0]))
        array.insertPointer(pointer(objects[1]), at: 0)
        array.replacePointer(at: 1, withPointer: pointer(objects[2]))
        #expect(array.allObjects.map { $0 as? NSObject } == [objects[1], objects[2]])
        array.removePointer(at: 0)
        #expect(array.allObjects.map { $0 as? NSObject } == [objects[2]])
        array.count = 3
        #expect(array.pointer(at: 2) == nil)
        array.count = 0
        #expect(array.allObjects.isEmpty)
    }
}
