import Foundation

/// A value in a file of an app, which is replaced as a whole. A judge may read the other device's.
struct Document<Value: Codable> {
    private let url: URL
    private let initial: Value

    init(_ name: String, of device: Device = .own, _ initial: Value) {
        url = device.home.appending(path: "\(name).json")
        self.initial = initial
    }

    /// What was kept last; the initial value if nothing was.
    var value: Value {
        guard FileManager.default.fileExists(atPath: url.path(percentEncoded: false)) else { return initial }
        do {
            return try JSONDecoder().decode(Value.self, from: try Data(contentsOf: url))
        } catch {
            Finding.tell("\(url.lastPathComponent) cannot be read: \(error)")
            return initial
        }
    }

    func keep(_ value: Value) {
        do {
            try JSONEncoder().encode(value).write(to: url, options: .atomic)
        } catch {
            Finding.tell("\(url.lastPathComponent) cannot be written: \(error)")
        }
    }

    func change(_ body: (inout Value) -> Void) {
        var value = value
        body(&value)
        keep(value)
    }
}
