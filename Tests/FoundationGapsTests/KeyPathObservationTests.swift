import FoundationGaps
import KeyValueObservation
import Testing

@Suite("Observation of properties that text names")
struct KeyPathObservationTests {
    /// A progress that tells its observers, as that of a file transfer does.
    // Proof of `@unchecked Sendable`: used by one test only.
    private final class Download: Progress, ObservedProgress, @unchecked Sendable {
        let observers = ObserverList<Progress>()

        init() {
            super.init(parent: nil, userInfo: nil)
            totalUnitCount = 10
        }

        func advance(to count: Int64) {
            let (oldCount, oldFraction) = (completedUnitCount, fractionCompleted)
            completedUnitCount = count
            observers.changed(\Progress.completedUnitCount, of: self, from: oldCount, to: count)
            observers.changed(\Progress.fractionCompleted, of: self, from: oldFraction, to: fractionCompleted)
        }
    }

    private final class Observer: NSObject, KeyPathObserver {
        private(set) var told: [String] = []
        var onTold: () -> Void = {}

        func observeValue(
            forKeyPath keyPath: String?, of object: Any?, change: [NSKeyValueChangeKey: Any]?,
            context: UnsafeMutableRawPointer?
        ) {
            let kind = change?[.kindKey] as? UInt
            let (old, new) = (change?[.oldKey] as? Double, change?[.newKey] as? Double)
            let parts = [
                keyPath ?? "-", object is Download ? "download" : "-", kind.map { "\($0)" } ?? "-",
                old.map { "\($0)" } ?? "-", new.map { "\($0)" } ?? "-", context == nil ? "-" : "context",
            ]
            told.append(parts.joined(separator: " "))
            onTold()
        }
    }

    @Test("An observer is told at the start and of each change, with the values that the options ask for")
    func options() {
        let (download, observer) = (Download(), Observer())
        download.addObserver(observer, forKeyPath: "fractionCompleted", options: [.initial, .new, .old], context: nil)
        download.addObserver(observer, forKeyPath: "completedUnitCount", context: nil)
        download.advance(to: 5)
        let told = observer.told
        #expect(
            told == [
                "fractionCompleted download 1 - 0.0 -", "completedUnitCount download 1 - - -",
                "fractionCompleted download 1 0.0 0.5 -",
            ])
    }

    @Test("A removed observer is told no more; with a context, only the observation with that context ends")
    func removal() {
        let (download, observer) = (Download(), Observer())
        let context = UnsafeMutableRawPointer.allocate(byteCount: 1, alignment: 1)
        defer { context.deallocate() }
        download.addObserver(observer, forKeyPath: "completedUnitCount", options: .new, context: context)
        download.addObserver(observer, forKeyPath: "completedUnitCount", options: .new, context: nil)
        download.removeObserver(observer, forKeyPath: "completedUnitCount", context: context)
        download.advance(to: 1)
        let first = observer.told
        #expect(first == ["completedUnitCount download 1 - 1.0 -"])
        download.removeObserver(observer, forKeyPath: "completedUnitCount")
        download.advance(to: 2)
        let second = observer.told
        #expect(second == first)
    }

    @Test("An observer may remove itself when it is told at the start")
    func removalAtStart() {
        let (download, observer) = (Download(), Observer())
        observer.onTold = { [unowned observer] in
            download.removeObserver(observer, forKeyPath: "completedUnitCount")
        }
        download.addObserver(observer, forKeyPath: "completedUnitCount", options: .initial, context: nil)
        download.advance(to: 1)
        let told = observer.told
        #expect(told == ["completedUnitCount download 1 - - -"])
    }

    @Test("Neither an observer nor an observed object is kept alive, and one that is going may still be removed")
    func lifetime() {
        final class Short: NSObject, KeyPathObserver {
            let download: Download
            init(_ download: Download) {
                self.download = download
                super.init()
                download.addObserver(self, forKeyPath: "completedUnitCount", context: nil)
            }
            deinit { download.removeObserver(self, forKeyPath: "completedUnitCount") }
            func observeValue(
                forKeyPath keyPath: String?, of object: Any?, change: [NSKeyValueChangeKey: Any]?,
                context: UnsafeMutableRawPointer?
            ) {}
        }
        weak var download: Download?
        weak var observer: Short?
        do {
            let strong = Short(Download())
            (observer, download) = (strong, strong.download)
            strong.download.advance(to: 1)
        }
        #expect(observer == nil)
        #expect(download == nil)
    }

    @Test("Each name of a property is found with and without “is”, and no other", arguments: [true, false])
    func names(isGetter: Bool) {
        let progress = Progress(totalUnitCount: 1)
        for name in ["finished", "cancelled", "paused", "indeterminate"] {
            let key = isGetter ? "is" + name.prefix(1).uppercased() + name.dropFirst() : name
            let property = progress.property(named: key)
            #expect(property != nil, "\(key)")
        }
        let unknown = progress.property(named: "isFractionCompleted")
        #expect(unknown == nil)
    }

    @Test("An unknown name ends the program, as does the removal of what does not observe")
    func mistakes() async {
        await #expect(processExitsWith: .failure) {
            Progress(totalUnitCount: 1).addObserver(NSObject(), forKeyPath: "speed", context: nil)
        }
        await #expect(processExitsWith: .failure) {
            Progress(totalUnitCount: 1).removeObserver(NSObject(), forKeyPath: "finished")
        }
        await #expect(processExitsWith: .failure) {
            Progress(totalUnitCount: 1).addObserver(
                NSObject(), forKeyPath: "finished", options: .initial, context: nil)
        }
        await #expect(processExitsWith: .success) {
            let progress = Progress(totalUnitCount: 1)
            let observer = NSObject()
            progress.addObserver(observer, forKeyPath: "finished", context: nil)
            progress.removeObserver(observer, forKeyPath: "finished")
        }
    }
}
