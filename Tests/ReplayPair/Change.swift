import Foundation

/// A change that a build has: the words of the option `--change`, such as `rename reply title name`.
struct Change {
    /// A place at which a build can stop: in the delegate's methods, or on the main queue, for a message or by itself.
    enum Place: String { case activation, message, info, main, timer }

    private let words: [String]

    init(_ arguments: [String]) {
        let place = arguments.firstIndex(of: "--change").map { $0 + 1 } ?? arguments.endIndex
        words = arguments.indices.contains(place) ? arguments[place].split(separator: " ").map(String.init) : []
    }

    var verb: String { words.first ?? "" }

    func has(_ verb: String, _ call: String = "") -> Bool {
        self.verb == verb && (call.isEmpty || words.count > 1 && words[1] == call)
    }

    private func word(_ index: Int) -> String { words.indices.contains(index) ? words[index] : "" }

    var last: String { words.last ?? "" }

    var number: Double { Double(last) ?? 0 }

    /// Returns the way in which the build stops at a place, such as by `die timer queues`.
    func death(_ place: Place) -> Death? { has("die", place.rawValue) ? Death(rawValue: word(2)) : nil }

    /// Returns the key of the document in an envelope that is changed, such as by `payload-rename reply minutes`.
    func payloadKey(_ call: String) -> PayloadKey? {
        guard words.count > 2, word(1) == call else { return nil }
        return PayloadKey.Deed(rawValue: verb).map { PayloadKey(deed: $0, key: word(2)) }
    }

    /// Returns what this build sends in place of a dictionary.
    func applied(_ call: String, _ content: [String: Any]) -> [String: Any] {
        guard words.count > 2, word(1) == call else { return content }
        var changed = content
        let key = word(2)
        switch verb {
        case "rename": changed[word(3)] = changed.removeValue(forKey: key)
        case "drop-key": changed[key] = nil
        case "add": changed[key] = word(3)
        case "add-list": changed[key] = [1, 2, 3]
        case "add-nested": changed[key] = ["more": true, "count": 4]
        case "to-text": changed[key] = "\(changed[key] ?? "")"
        case "to-number": changed[key] = 7
        case "to-real": changed[key] = 7.5
        case "to-flag": changed[key] = true
        case "to-date": changed[key] = Date()
        case "to-list": changed[key] = [changed[key] ?? ""]
        case "to-data": changed[key] = Data("\(changed[key] ?? "")".utf8)
        case "to-dictionary": changed[key] = ["value": changed[key] ?? ""]
        case "value": changed[key] = Int(word(3)) ?? word(3)
        case "fresh": changed[key] = UUID().uuidString
        case "longer": changed[key] = (changed[key] as? [Any] ?? []) + ["more"]
        case "shorter": changed[key] = Array((changed[key] as? [Any] ?? []).dropLast())
        case "huge": changed[key] = Data(count: 1_000_000)
        case "no-list": changed[key] = NSObject()
        case "later-date": changed[key] = Date(timeIntervalSinceNow: 86_400)
        case "mutable": changed[key] = NSMutableArray(array: changed[key] as? [Any] ?? [])
        case "number-object": changed[key] = NSNumber(value: changed[key] as? Int ?? 0)
        default: break
        }
        return changed
    }
}
