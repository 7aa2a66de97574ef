import Configuration
import ControlSocket
import Foundation
import TestSupport
import Testing

@testable import Services

@Suite("Long work on a database")
struct MaintenanceQueueTests {
    @Test("One piece of work is done at a time; how far it is may be asked, and its result until the next begins")
    func oneAtATime() throws {
        let desk = MaintenanceQueue()
        let (begun, gate) = (Collector<Int>(), DispatchSemaphore(value: 0))
        let first = try desk.begin("backup") { progress in
            progress(3, 7)
            begun.add(1)
            gate.wait()
            return .success("done")
        }.get()
        begun.expect { $0 == [1] }
        let underWay = try desk.look(first).get()
        #expect(underWay == JSONValue.object(["name": "backup", "done": 3, "total": 7]))
        let refusal = #expect(throws: ControlError.self) { try desk.begin("vacuum") { _ in .success("never") }.get() }
        #expect(refusal?.message == "backup is running; try again when it is done")
        gate.signal()
        // Nobody is told of the end: whoever asked looks now and then.
        while try desk.look(first).get()["result"] == nil { sched_yield() }
        let done = try desk.look(first).get()
        #expect(done == JSONValue.object(["result": "done"]))
        let second = try desk.begin("verify") { _ in .failure(ControlError(ControlError.refused, "no")) }.get()
        #expect(second != first)
        #expect(throws: ControlError.self) { try desk.look(first).get() }
    }
}
