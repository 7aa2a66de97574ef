import TestSupport
import Testing

@testable import FoundationGaps

@Suite("Defaults of a device")
struct DefaultsTests {
    private let scratch: Scratch

    init() throws { scratch = try Scratch() }

    private var suite: String { scratch.path("Preferences/suite") }

    private func defaults() throws -> DeviceUserDefaults {
        try #require(DeviceUserDefaults(suiteName: suite))
    }

    /// The content of the file, which other programs read.
    private func content() throws -> [String: Any] {
        let data = try Data(contentsOf: URL(filePath: suite + ".plist"))
        let list = try PropertyListSerialization.propertyList(from: data, format: nil)
        return try #require(list as? [String: Any])
    }

    /// Changes the file as another program of the device does.
    private func changeElsewhere(_ change: (inout [String: Any]) -> Void) throws {
        var list = try content()
        change(&list)
        let data = try PropertyListSerialization.data(fromPropertyList: list, format: .xml, options: 0)
        try data.write(to: URL(filePath: suite + ".plist"), options: .atomic)
    }

    @Test("Each change is on the disk when the call returns")
    func durability() throws {
        let defaults = try defaults()
        defaults.set(3, forKey: "a")
        defaults.set(true, forKey: "b")
        defaults.setValue("text", forKey: "c")
        defaults.set("gone", forKey: "d")
        defaults.removeObject(forKey: "d")
        defaults.set("gone", forKey: "e")
        defaults.setValue(nil, forKey: "e")
        let list = try content()
        #expect(list["a"] as? Int == 3)
        #expect(list["b"] as? Bool == true)
        #expect(list["c"] as? String == "text")
        #expect(list.count == 3)
    }

    @Test("A change by another program is read without a call to synchronize")
    func otherReads() throws {
        let defaults = try defaults()
        defaults.set(1, forKey: "a")
        try changeElsewhere { $0["a"] = 2 }
        #expect(defaults.integer(forKey: "a") == 2)
        try changeElsewhere { $0["b"] = "more" }
        let all = defaults.dictionaryRepresentation()
        #expect(all["b"] as? String == "more")
    }

    @Test("A change keeps what another program has changed meanwhile")
    func otherWrites() throws {
        let defaults = try defaults()
        defaults.set(1, forKey: "a")
        try changeElsewhere { $0["b"] = 2 }
        defaults.set(3, forKey: "c")
        let list = try content()
        #expect(list as? [String: Int] == ["a": 1, "b": 2, "c": 3])
    }

    @Test("Two objects of a suite see each other's changes")
    func twoObjects() throws {
        let (one, two) = (try defaults(), try defaults())
        one.set(1, forKey: "a")
        #expect(two.integer(forKey: "a") == 1)
        two.set(2, forKey: "a")
        #expect(one.integer(forKey: "a") == 2)
    }

    @Test("A change is notified by its object, on the thread that makes it")
    func notification() throws {
        let (defaults, other) = (try defaults(), NSObject())
        let (poster, thread) = (ObjectIdentifier(defaults), pthread_self())
        let heard = Collector<Bool>()
        let tokens = [defaults, other].map { object in
            NotificationCenter.default.addObserver(
                forName: UserDefaults.didChangeNotification, object: object, queue: nil
            ) { notification in
                let isPoster = (notification.object as? NSObject).map { ObjectIdentifier($0) == poster }
                heard.add(isPoster == true && pthread_self() == thread)
            }
        }
        defaults.set(1, forKey: "a")
        #expect(heard.all == [true])
        defaults.removeObject(forKey: "a")
        #expect(heard.all == [true, true])
        for token in tokens { NotificationCenter.default.removeObserver(token) }
    }

    @Test("A removed domain is empty")
    func domain() throws {
        let defaults = try defaults()
        defaults.set(1, forKey: "a")
        defaults.removePersistentDomain(forName: suite)
        #expect(defaults.object(forKey: "a") == nil)
        #expect(!FileManager.default.fileExists(atPath: suite + ".plist"))
        defaults.setPersistentDomain(["b": 2], forName: suite)
        #expect(defaults.integer(forKey: "b") == 2)
    }

    @Test("Registered defaults apply until a value is set")
    func registered() throws {
        let (defaults, key) = (try defaults(), UUID().uuidString)
        defaults.register(defaults: [key: 5])
        #expect(defaults.integer(forKey: key) == 5)
        defaults.set(6, forKey: key)
        #expect(defaults.integer(forKey: key) == 6)
    }

    @Test("Suites are files in the device's home, those of app groups in the group's container")
    func places() {
        let domains = [nil, "own", "group.scores", "/a/b", UserDefaults.globalDomain].map {
            DefaultsFile(suite: $0, home: "/home").domain
        }
        let program = ProcessInfo.processInfo.processName
        #expect(
            domains == [
                "/home/Library/Preferences/\(program)", "/home/Library/Preferences/own",
                "/home/Library/Group Containers/group.scores/Library/Preferences/group.scores", "/a/b",
                UserDefaults.globalDomain,
            ])
        let here = DefaultsFile(suite: "own").domain
        #expect(here == NSHomeDirectory() + "/Library/Preferences/own")
    }

    @Test("The standard defaults are always the same object, of the device's kind")
    func standard() {
        let isDevice: DeviceUserDefaults = DeviceUserDefaults.standard
        #expect(isDevice === DeviceUserDefaults.standard)
    }

    @Test("A change waits while another program changes the file")
    func exclusion() throws {
        let (suite, order) = (suite, Collector<String>())
        try defaults().set(0, forKey: "a")
        let lock = try WaitingFileLock(scratch.path("Preferences"), .exclusive)
        Thread.detachNewThread {
            DeviceUserDefaults(suiteName: suite)?.set(1, forKey: "a")
            order.add("change")
        }
        // A change that does not wait has the time to be first.
        Thread.sleep(forTimeInterval: 0.1)
        order.add("release")
        lock.release()
        order.expect { $0 == ["release", "change"] }
    }

    @Test("Threads that change one file at a time lose no value")
    func threads() async throws {
        let suite = suite
        await withTaskGroup(of: Void.self) { group in
            for writer in 0..<4 {
                group.addTask {
                    let defaults = DeviceUserDefaults(suiteName: suite)
                    for number in 0..<10 { defaults?.set(number, forKey: "\(writer).\(number)") }
                }
            }
        }
        let list = try content()
        #expect(list.count == 40)
    }
}
