import Foundation

/// What a person does with a device, and when: in seconds after the app was first launched, on the main queue.
enum Day {
    /// People leave their devices alone for so long before anybody judges: time enough for what is late.
    static let end: TimeInterval = 1_500

    private static let start: Date = {
        let document = Document<Date?>("first-launch", nil)
        if let date = document.value { return date }
        document.keep(.now)
        return .now
    }()

    /// A deed of a time at which the app does not run is not done.
    static func at(_ seconds: TimeInterval, _ deed: @escaping () -> Void) {
        let left = start.timeIntervalSinceNow + seconds
        if left >= 0 { DispatchQueue.main.asyncAfter(deadline: .now() + left, execute: deed) }
    }

    /// A look at what came of everything; if the app does not run then, as soon as it was launched again.
    static func atEnd(_ judgement: @escaping () -> Void) {
        let left = start.timeIntervalSinceNow + end
        DispatchQueue.main.asyncAfter(deadline: .now() + max(60, left), execute: judgement)
    }
}
