/// The error for a file of settings that is not understood.
package struct SettingsError: Error, Equatable, CustomStringConvertible {
    package let description: String
}
