import TestSupport
import Testing
import WidgetKit

@Suite("WidgetKit")
struct WidgetKitTests {
    @Test("Reloads are recorded in their order")
    func reloads() {
        let center = WidgetCenter()
        #expect(center.recordedReloads == [])
        center.reloadTimelines(ofKind: "Score")
        center.reloadAllTimelines()
        #expect(center.recordedReloads == [.kind("Score"), .all])
        #expect(WidgetCenter.shared === WidgetCenter.shared)
    }

    @Test("The oldest reloads are forgotten beyond the limit")
    func limit() {
        let center = WidgetCenter()
        center.reloadAllTimelines()
        for _ in 0..<WidgetCenter.maximumRecordedReloads { center.reloadTimelines(ofKind: "Score") }
        #expect(center.recordedReloads.count == WidgetCenter.maximumRecordedReloads)
        #expect(!center.recordedReloads.contains(.all))
    }

    @Test("The user has placed no widgets")
    func configurations() {
        let counts = Collector<Int?>()
        WidgetCenter().getCurrentConfigurations { counts.add(try? $0.get().count) }
        counts.expect { $0 == [0] }
    }
}
