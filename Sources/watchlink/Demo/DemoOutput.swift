import ServiceRuntime

/// How the demo's lines look.
enum DemoOutput {
    /// What stands before a service's lines; in colour on a terminal that may have it.
    static func label(_ service: String) -> String {
        let text = service + String(repeating: " ", count: 9 - service.count) + " │ "
        return Terminal.coloured(text, as: service == "host" ? .blue : .green)
    }
}
