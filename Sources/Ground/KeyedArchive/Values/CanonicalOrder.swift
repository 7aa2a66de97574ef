import Foundation

/// An order for what has none, so that equal collections have equal archives. A set's own order differs from run to run, and
/// would leak the seed of its hashes.
enum CanonicalOrder {
    /// Strings by their text, all else by its archive.
    ///
    /// - Parameter isShallow: leave what is no string in the order that it has. So are archives made that serve for sorting only:
    ///   sets within sets would else be archived again for each level.
    static func sorted<Element>(_ elements: [Element], isShallow: Bool, by value: (Element) -> Any) -> [Element] {
        guard elements.count > 1 else { return elements }
        let keyed = elements.map { (element: $0, text: value($0) as? String) }
        if isShallow || keyed.allSatisfy({ $0.text != nil }) {
            return keyed.sorted { ($0.text ?? "") < ($1.text ?? "") }.map(\.element)
        }
        let archived = keyed.map { (element: $0.element, text: $0.text ?? "", bytes: archive(value($0.element))) }
        return archived.sorted { left, right in
            left.text == right.text ? left.bytes.lexicographicallyPrecedes(right.bytes) : left.text < right.text
        }.map(\.element)
    }

    /// What has no archive has no order either: writing it will say why.
    private static func archive(_ value: Any) -> [UInt8] {
        let archiver = KeyedArchiver(requiringSecureCoding: false)
        archiver.sortsShallowly = true
        archiver.encode(value, forKey: KeyedArchiver.rootKey)
        return Array(archiver.encodedData)
    }
}
