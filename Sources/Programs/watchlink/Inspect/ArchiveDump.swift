import Foundation
import KeyedArchive
import Words

/// A property list as indented text. In a keyed archive, each object is printed with its class at its first reference;
/// later references name it.
struct ArchiveDump {
    /// The bytes of data that are shown.
    private static let shownBytes = 32
    /// The longest output in bytes. 8 MiB: a file of a hundred bytes can refer to one array a billion times.
    private static let shownText = 8 * 1024 * 1024
    /// The most nested archives in data that are opened.
    private static let shownNesting = 8

    private let root: PropertyListValue
    private let objects: [PropertyListValue]
    private var shown: Set<UInt32> = []
    private var lines: [String] = []
    private var size = 0

    private let nesting: Int

    init(_ value: PropertyListValue, nesting: Int = 0) {
        root = value
        self.nesting = nesting
        guard case .array(let objects) = value["$objects"], case .string("NSKeyedArchiver") = value["$archiver"] else {
            objects = []
            return
        }
        self.objects = objects
    }

    mutating func text() -> String {
        if objects.isEmpty {
            add(root, label: "", indent: 0)
        } else {
            put("keyed archive, \(objects.count) objects")
            guard case .dictionary(let top) = root["$top"] else { return lines.joined(separator: "\n") }
            for (key, value) in top.sorted(by: { $0.key < $1.key }) { add(value, label: "\(key): ", indent: 1) }
        }
        return lines.joined(separator: "\n")
    }

    private mutating func add(_ value: PropertyListValue, label: String, indent: Int) {
        guard size < Self.shownText else { return }
        let start = String(repeating: "  ", count: indent) + label
        switch value {
        case .null: put(start + "null")
        case .boolean(let value): put(start + "\(value)")
        case .integer(let value): put(start + "\(value)")
        case .unsigned(let value): put(start + "\(value)")
        case .float(let value): put(start + "\(value)")
        case .real(let value): put(start + "\(value)")
        case .date(let seconds): put(start + TerminalText.date(seconds))
        case .string(let text): put(start + TerminalText.quoted(text))
        case .data(let data): add(data, start, indent)
        case .uid(let uid): addObject(uid, label: label, indent: indent)
        case .array(let elements), .set(let elements):
            put(start + "\(elements.count) element\(elements.count == 1 ? "" : "s")")
            for (position, element) in elements.enumerated() {
                add(element, label: "[\(position)] ", indent: indent + 1)
            }
        case .dictionary(let entries):
            put(start + "\(entries.count) \(entries.count == 1 ? "entry" : "entries")")
            addEntries(entries, indent: indent + 1)
        }
    }

    private mutating func put(_ line: String) {
        guard size < Self.shownText else { return }
        size += line.utf8.count + 1
        lines.append(size < Self.shownText ? line : "… truncated after \(Self.shownText) bytes")
    }

    private mutating func addEntries(_ entries: [String: PropertyListValue], indent: Int) {
        for (key, value) in entries.sorted(by: { $0.key < $1.key }) where !(key == "$class" && !objects.isEmpty) {
            add(value, label: "\(TerminalText.printable(key)): ", indent: indent)
        }
    }

    private mutating func addObject(_ uid: UInt32, label: String, indent: Int) {
        let start = String(repeating: "  ", count: indent) + label
        guard uid != 0, objects.indices.contains(Int(uid)) else {
            put(start + (uid == 0 && !objects.isEmpty ? "nil" : "UID \(uid)"))
            return
        }
        let object = objects[Int(uid)]
        guard case .dictionary(let entries) = object else { return add(object, label: label, indent: indent) }
        guard shown.insert(uid).inserted else {
            put(start + "\(className(entries)) #\(uid), as above")
            return
        }
        put(start + "\(className(entries)) #\(uid)")
        addEntries(entries, indent: indent + 1)
    }

    /// Adds data, and its content if it is an archive.
    private mutating func add(_ data: Data, _ start: String, _ indent: Int) {
        let hexadecimal = data.prefix(Self.shownBytes).map { String(format: "%02x", $0) }.joined()
        put(start + "\(data.count) bytes <\(hexadecimal)\(data.count > Self.shownBytes ? "…" : "")>")
        // Most data is not an archive; that is not an error.
        guard nesting < Self.shownNesting, let inner = try? PropertyListValue(binary: data) else { return }
        var dump = ArchiveDump(inner, nesting: nesting + 1)
        let space = String(repeating: "  ", count: indent + 1)
        for line in dump.text().split(separator: "\n") { put(space + line) }
    }

    private func className(_ entries: [String: PropertyListValue]) -> String {
        guard case .uid(let uid) = entries["$class"], objects.indices.contains(Int(uid)),
            case .string(let name) = objects[Int(uid)]["$classname"]
        else { return "object" }
        return TerminalText.printable(name)
    }
}
