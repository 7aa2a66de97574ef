public import Foundation

/// An app's defaults as a device has them. `watchlink adopt` gives them to an app under the name `UserDefaults`.
///
/// Those of Foundation on Linux are on the disk only after `synchronize()`, tell nobody of changes, and belong to a user.
/// These are written at each change, read again when another program of the device has changed them, and belong to the
/// home directory (`NSHomeDirectory()`). `didChangeNotification` is posted on the thread that makes a change.
open class DeviceUserDefaults: Foundation.UserDefaults {
    // Proof of `nonisolated(unsafe)`: it is set once, and its methods may be called on any thread.
    nonisolated(unsafe) private static let shared = DeviceUserDefaults()

    /// The program's own defaults.
    override open class var standard: DeviceUserDefaults { shared }

    private let file: DefaultsFile

    /// Creates an object for the program's own defaults.
    public convenience init() {
        // Foundation has defaults for every name.
        // swift-format-ignore: NeverForceUnwrap
        self.init(suiteName: nil)!
    }

    /// Creates an object for the defaults that the programs of the device share under a name.
    ///
    /// - Parameter suiteName: The name, such as the identifier of an app group; nil for the program's own defaults.
    public override init?(suiteName: String?) {
        file = DefaultsFile(suite: suiteName)
        super.init(suiteName: file.domain)
    }

    // MARK: - Reading

    override open func object(forKey defaultName: String) -> Any? {
        refresh()
        return super.object(forKey: defaultName)
    }

    override open func dictionaryRepresentation() -> [String: Any] {
        refresh()
        return super.dictionaryRepresentation()
    }

    private func refresh() {
        file.read { super.synchronize() }
    }

    // MARK: - Changes

    override open func set(_ value: Any?, forKey defaultName: String) {
        guard let value else { return removeObject(forKey: defaultName) }
        change { super.set(value, forKey: defaultName) }
    }

    override open func removeObject(forKey defaultName: String) {
        change { super.removeObject(forKey: defaultName) }
    }

    @discardableResult
    override open func synchronize() -> Bool {
        file.change { super.synchronize() }
    }

    private func change(_ body: () -> Void) {
        file.change {
            body()
            // Reads the file again, and writes it with the change.
            return super.synchronize()
        }
        NotificationCenter.default.post(name: Self.didChangeNotification, object: self)
    }

    // MARK: - Domains

    override open func persistentDomain(forName domainName: String) -> [String: Any]? {
        super.persistentDomain(forName: DefaultsFile(suite: domainName).domain)
    }

    override open func setPersistentDomain(_ domain: [String: Any], forName domainName: String) {
        changeDomain(domainName) { super.setPersistentDomain(domain, forName: $0) }
    }

    override open func removePersistentDomain(forName domainName: String) {
        changeDomain(domainName) { super.removePersistentDomain(forName: $0) }
    }

    private func changeDomain(_ name: String, _ body: (String) -> Void) {
        let file = DefaultsFile(suite: name)
        file.change {
            body(file.domain)
            return true
        }
        NotificationCenter.default.post(name: Self.didChangeNotification, object: self)
    }
}
