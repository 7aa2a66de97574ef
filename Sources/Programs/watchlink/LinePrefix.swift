import ServiceRuntime

/// The prefix of the lines of several programs, which tells whose line it is.
enum LinePrefix {
    /// Returns the prefix, in colour if the terminal supports it.
    static func text(_ name: String, width: Int, _ colour: Terminal.Colour) -> String {
        let space = String(repeating: " ", count: max(0, width - name.count))
        return Terminal.coloured(name + space + " │ ", as: colour)
    }
}
