import Foundation

/// An event in the form of the journal's own protocol (systemd.io/JOURNAL_NATIVE_PROTOCOL): each field is kept apart, and
/// `journalctl WATCHLINK_EVENT=ready` finds it.
public struct JournalEntry: Sendable {
    /// The datagram.
    public private(set) var bytes: [UInt8] = []

    /// The name that the program was started with: a program may have several.
    private static let program = CommandLine.arguments.first?.split(separator: "/").last.map(String.init) ?? "watchlink"

    /// Creates an entry: the message as in every format, the priority, the program, the event, and its fields with their
    /// names in capitals after `WATCHLINK_`.
    init(_ record: LogRecord) {
        append("MESSAGE", LogFormat.message(record))
        append("PRIORITY", String(record.event.level.rawValue))
        append("SYSLOG_IDENTIFIER", Self.program)
        append("WATCHLINK_EVENT", record.event.text)
        append("WATCHLINK_SERVICE", record.service)
        append("WATCHLINK_SUBSYSTEM", record.event.subsystem.name)
        for field in record.fields { append("WATCHLINK_\(field.key.uppercased())", Self.text(field.value)) }
    }

    private static func text(_ value: LogField.Value) -> String {
        switch value {
        case .text(let text): LogFormat.cut(text)
        case .number(let number): String(number)
        case .seconds(let seconds): String(format: "%.6f", seconds)
        case .flag(let flag): String(flag)
        }
    }

    /// Appends a field. A value with a line break has its length before it, so it cannot forge another field.
    private mutating func append(_ name: String, _ value: String) {
        bytes += name.utf8
        if value.utf8.contains(UInt8(ascii: "\n")) {
            bytes.append(UInt8(ascii: "\n"))
            withUnsafeBytes(of: UInt64(value.utf8.count).littleEndian) { bytes += $0 }
        } else {
            bytes.append(UInt8(ascii: "="))
        }
        bytes += value.utf8
        bytes.append(UInt8(ascii: "\n"))
    }
}
