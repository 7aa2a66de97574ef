import Foundation

/// The form in which ``PropertyListReader`` returns what it reads.
protocol DecodedForm {
    associatedtype Value

    static var null: Value { get }
    static func boolean(_ value: Bool) -> Value
    static func integer(_ value: Int64) -> Value
    static func unsigned(_ value: UInt64) -> Value
    static func float(_ value: Float) -> Value
    static func real(_ value: Double) -> Value
    static func date(_ seconds: Double) -> Value
    static func data(_ data: Data) -> Value
    static func string(_ string: String) -> Value
    static func uid(_ uid: UInt32) -> Value
    static func array(_ elements: [Value]) -> Value
    static func set(_ elements: [Value]) -> Value
    static func dictionary(_ entries: [String: Value]) -> Value

    /// Returns the text of a value that is one.
    static func text(of value: Value) -> String?
}

/// A tree of values.
extension PropertyListValue: DecodedForm {
    typealias Value = PropertyListValue

    static func text(of value: PropertyListValue) -> String? {
        guard case .string(let text) = value else { return nil }
        return text
    }
}
