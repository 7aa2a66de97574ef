import Foundation

/// Objects as an app on Apple's platforms receives them: numbers and Boolean values as `NSNumber`, which casts to any
/// type that can hold them; a set as an array.
enum ObjectForm: DecodedForm {
    /// The numbers that exist once, as on Apple's platforms, where they are no objects in memory: most numbers in
    /// messages are small.
    private static let smallNumbers = (Int64(0)..<128).map { NSNumber(value: $0) }
    private static let booleans = (no: NSNumber(value: false), yes: NSNumber(value: true))

    static var null: Any { NSNull.one }
    static func boolean(_ value: Bool) -> Any { value ? booleans.yes : booleans.no }
    static func integer(_ value: Int64) -> Any {
        guard value >= 0, value < Int64(smallNumbers.count) else { return NSNumber(value: value) }
        return smallNumbers[Int(value)]
    }
    static func unsigned(_ value: UInt64) -> Any { NSNumber(value: value) }
    static func float(_ value: Float) -> Any { NSNumber(value: value) }
    static func real(_ value: Double) -> Any { NSNumber(value: value) }
    static func date(_ seconds: Double) -> Any { Date(timeIntervalSinceReferenceDate: seconds) }
    static func data(_ data: Data) -> Any { data }
    static func string(_ string: String) -> Any { string }
    static func uid(_ uid: UInt32) -> Any { Int(uid) }
    static func array(_ elements: [Any]) -> Any { elements }
    static func set(_ elements: [Any]) -> Any { elements }
    static func dictionary(_ entries: [String: Any]) -> Any { entries }
    static func text(of value: Any) -> String? {
        // Texts of files are no other type.
        ExactType.of(value) == String.self ? ExactType.value(value, String.self) : nil
    }
}
