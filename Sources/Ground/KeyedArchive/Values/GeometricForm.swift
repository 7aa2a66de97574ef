import Foundation

/// The archived form of `NSValue`: a point, a size or a rectangle as text, or a range as two numbers.
enum GeometricForm: Equatable {
    case point(NSPoint)
    case size(NSSize)
    case rectangle(NSRect)
    case range(NSRange)

    enum Key {
        static let kind = "NS.special"
        static let point = "NS.pointval"
        static let size = "NS.sizeval"
        static let rectangle = "NS.rectval"
        static let location = "NS.rangeval.location"
        static let length = "NS.rangeval.length"
    }

    /// The values of `NS.special`.
    enum Kind: Int64 {
        case point = 1
        case size = 2
        case rectangle = 3
        case range = 4
    }

    init?(_ any: Any) {
        switch any {
        case let point as NSPoint: self = .point(point)
        case let size as NSSize: self = .size(size)
        case let rectangle as NSRect: self = .rectangle(rectangle)
        case let range as NSRange: self = .range(range)
        default: return nil
        }
    }

    init?(_ value: NSValue) {
        switch String(cString: value.objCType) {
        case Self.type(of: NSValue(point: .zero)): self = .point(value.pointValue)
        case Self.type(of: NSValue(size: .zero)): self = .size(value.sizeValue)
        case Self.type(of: NSValue(rect: .zero)): self = .rectangle(value.rectValue)
        case Self.type(of: NSValue(range: NSRange())): self = .range(value.rangeValue)
        default: return nil
        }
    }

    private static func type(of value: NSValue) -> String { String(cString: value.objCType) }

    var value: NSValue {
        switch self {
        case .point(let point): NSValue(point: point)
        case .size(let size): NSValue(size: size)
        case .rectangle(let rectangle): NSValue(rect: rectangle)
        case .range(let range): NSValue(range: range)
        }
    }

    func encode(with archiver: KeyedArchiver) {
        func put(_ kind: Kind) { archiver.plain(Key.kind) { $0.add(kind.rawValue) } }
        switch self {
        case .point(let point):
            put(.point)
            archiver.encode(Self.text([point.x, point.y]), forKey: Key.point)
        case .size(let size):
            put(.size)
            archiver.encode(Self.text([size.width, size.height]), forKey: Key.size)
        case .rectangle(let rectangle):
            put(.rectangle)
            let origin = Self.text([rectangle.origin.x, rectangle.origin.y])
            let size = Self.text([rectangle.size.width, rectangle.size.height])
            archiver.encode("{\(origin), \(size)}", forKey: Key.rectangle)
        case .range(let range):
            put(.range)
            archiver.encode(range.location as Any, forKey: Key.location)
            archiver.encode(range.length as Any, forKey: Key.length)
        }
    }

    /// The maximum length of a value's text, in bytes. 256: four numbers take at most 25 each. Many values may share
    /// one text, which is parsed for each.
    private static let longestText = 256

    /// Parses a text such as “{1, 2}” or “{{1, 2}, {3, 4}}”; nil for any other text.
    init?(_ kind: Kind, text: String) {
        guard text.utf8.count <= Self.longestText else { return nil }
        let numbers = text.split { "{}, ".contains($0) }.compactMap { Double($0) }
        guard numbers.count == (kind == .rectangle ? 4 : 2), numbers.allSatisfy(\.isFinite) else { return nil }
        switch kind {
        case .point: self = .point(NSPoint(x: numbers[0], y: numbers[1]))
        case .size: self = .size(NSSize(width: numbers[0], height: numbers[1]))
        case .rectangle: self = .rectangle(NSRect(x: numbers[0], y: numbers[1], width: numbers[2], height: numbers[3]))
        case .range: return nil
        }
    }

    /// Formats numbers like Apple: integers without a fraction.
    private static func text(_ numbers: [CGFloat]) -> String {
        "{" + numbers.map { Int(exactly: $0).map(String.init) ?? "\($0)" }.joined(separator: ", ") + "}"
    }
}
