import LinkProtocol
import Testing

@testable import DeviceEngine

@Suite("The engine's alarms")
struct AlarmsTests {
    @Test("Each alarm has words, so that a missed one is named")
    func allAreNamed() {
        let alarms = DeviceEngine.Alarms()
        #expect(alarms.named.count == Mirror(reflecting: alarms).children.count)
    }

    @Test("The earliest alarm is the next, whichever it is")
    func earliest() {
        let paths: [WritableKeyPath<DeviceEngine.Alarms, MonotonicTime?>] = [
            \.messages, \.transfers, \.faults, \.adopting, \.endings, \.forgetting, \.removing, \.reading,
            \.readingEnded,
            \.recordingCompanions, \.release, \.flap,
        ]
        for path in paths {
            var alarms = DeviceEngine.Alarms()
            for other in paths { alarms[keyPath: other] = MonotonicTime(nanoseconds: 2) }
            alarms[keyPath: path] = MonotonicTime(nanoseconds: 1)
            #expect(alarms.next == MonotonicTime(nanoseconds: 1), "of \(path)")
        }
        #expect(paths.count == Mirror(reflecting: DeviceEngine.Alarms()).children.count)
        #expect(DeviceEngine.Alarms().next == nil)
    }

    @Test("Work that is due is named after its time, and not before")
    func overdue() throws {
        var trial = try EngineTrial()
        #expect(trial.engine.overdue(since: MonotonicTime(nanoseconds: .max)) == nil)
        trial.engine.alarms.recordingCompanions = MonotonicTime(nanoseconds: 5)
        #expect(trial.engine.overdue(since: MonotonicTime(nanoseconds: 5)) == nil)
        #expect(trial.engine.overdue(since: MonotonicTime(nanoseconds: 6)) == "record of the watches")
    }
}
